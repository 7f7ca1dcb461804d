/** What the original called its environments: class names, configuration folders and scripts; and how they are called here. */
export const ENVIRONMENT_ALIASES: Readonly<Record<string, string>> = {
  agentic_opd: 'agentic-opd',
  agentic_opd_env: 'agentic-opd',
  endless_terminals: 'endless-terminals',
  endless_terminals_env: 'endless-terminals',
  gsm8k_server: 'gsm8k',
  hermes_swe: 'swe',
  'hermes-swe': 'swe',
  hermes_swe_env: 'swe',
  human_eval: 'humaneval',
  openthoughts_tblite: 'tblite',
  'openthoughts-tblite': 'tblite',
  swe_smith_oracle: 'swe-smith-oracle',
  swe_smith_oracle_env: 'swe-smith-oracle',
  tblite_env: 'tblite',
  terminal_bench_2: 'terminal-bench-2',
  terminal_test: 'terminal-test',
  terminal_test_env: 'terminal-test',
  terminalbench2: 'terminal-bench-2',
  terminalbench2_env: 'terminal-bench-2',
  terminalbench_2: 'terminal-bench-2',
  web_research: 'web-research',
  web_research_env: 'web-research',
  yc_bench: 'yc-bench',
  yc_bench_env: 'yc-bench',
};

/** The name of today for one of the original, also where it stands as a path of its script (`environments/tblite/tblite_env.py`). */
export function currentName(name: string): string {
  const script = /(?:^|[/\\])([^/\\]+)\.py$/.exec(name)?.[1];
  const wanted = script ?? name;
  return ENVIRONMENT_ALIASES[wanted] ?? wanted;
}

import { envFields, serverFields } from './sections.ts';

/** Names that people know from elsewhere, and the key that they mean. */
const WRONG_NAMES: Readonly<Record<string, string>> = {
  api_base: 'openai.base_url',
  backend: 'env.terminal_backend',
  batch: 'env.group_size',
  endpoint: 'openai.base_url',
  eval_every: 'env.steps_per_eval',
  idle_timeout: 'env.terminal_lifetime',
  max_completion_tokens: 'env.max_token_length',
  max_iterations: 'env.max_agent_turns',
  max_new_tokens: 'env.max_token_length',
  max_steps: 'env.total_steps',
  max_tokens: 'env.max_token_length',
  max_turns: 'env.max_agent_turns',
  model: 'openai.model_name',
  model_id: 'openai.model_name',
  num_generations: 'env.group_size',
  output: 'env.data_path_to_save_groups',
  parser: 'env.tool_call_parser',
  provider: 'env.terminal_backend',
  request_timeout: 'openai.timeout',
  sandbox_backend: 'env.terminal_backend',
  save_path: 'env.data_path_to_save_groups',
  seed: 'env.sampling_seed',
  system: 'env.system_prompt',
  temperature: 'env.agent_temperature',
  terminal_env: 'env.terminal_backend',
  tool_parser: 'env.tool_call_parser',
  tools: 'env.enabled_toolsets',
  toolsets: 'env.enabled_toolsets',
  trainer_url: 'env.rollout_server_url',
  url: 'openai.base_url',
  wandb: 'env.use_wandb',
  wandb_run_name: 'env.wandb_name',
};

const SECTION_KEYS: Readonly<Record<string, readonly string[]>> = {
  env: Object.keys(envFields),
  openai: Object.keys(serverFields),
};

/** The names that people use for a key which is called otherwise. */
export function wrongNamesOf(path: string): readonly string[] {
  return Object.keys(WRONG_NAMES).filter((name) => WRONG_NAMES[name] === path);
}

/** What files call the sections where they are made by hand. */
const SECTION_NAMES: Readonly<Record<string, string>> = {
  environment: 'env',
  server: 'openai',
  server_configs: 'openai',
  servers: 'openai',
};

/** The right key for one that is wrong in its name or its place, in words; null: nothing is known of it. */
export function rightPlaceOf(path: string, key: string, valid: readonly string[]): string | null {
  if (Object.hasOwn(SECTION_KEYS, key)) return 'It is a section, and stands at the very left';
  const [head = '', ...tail] = key.split('.');
  if (path === '' && Object.hasOwn(SECTION_KEYS, head) && tail.length > 0)
    return `In a file it is ${tail.join('.')}, indented below ${head}:`;
  const meant = path === '' ? (SECTION_NAMES[key] ?? WRONG_NAMES[key]) : WRONG_NAMES[key];
  if (meant !== undefined) return `It is called ${meant} here`;
  const section = path.split('.')[0] ?? '';
  const other = Object.keys(SECTION_KEYS).find((name) => SECTION_KEYS[name]?.includes(key));
  if (other === undefined || other === section || valid.includes(key)) return null;
  return `It belongs into section ${other}: ${other}.${key}`;
}

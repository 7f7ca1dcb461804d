import type { OwnKey } from './own-keys.ts';

type OwnKeys = Readonly<Record<string, OwnKey>>;

function key(type: OwnKey['type'], fallback: unknown, meaning: string): OwnKey {
  return { type, default: fallback, meaning };
}

const datasetName = key('a text', null, 'the data set on the Hugging Face hub');

/** Terminal-Bench 2 and what is made like it. */
export const terminalBenchKeys: OwnKeys = {
  dataset_name: datasetName,
  test_timeout: key('a number', 180, 'seconds of a verifier whose task does not say'),
  task_timeout: key('a number', 1800, 'seconds of an agent whose task does not say'),
  force_build: key('true or false', false, 'build images instead of fetching them'),
  task_filter: key('a text', null, 'only these tasks, with commas between them'),
  skip_tasks: key('a text', null, 'not these tasks, with commas between them'),
};

/** YC-Bench. */
export const ycBenchKeys: OwnKeys = {
  presets: key('a list of texts', ['fast_test', 'medium', 'hard'], 'the presets that are played'),
  seeds: key('a list of whole numbers', [1, 2, 3], 'each preset is played with each'),
  run_timeout: key('a number', 3600, 'seconds of one game'),
  survival_weight: key('a number', 0.5, 'part of the score for having survived'),
  funds_weight: key('a number', 0.5, 'part of the score for the funds at the end'),
  db_dir: key('a text', null, 'a folder for the databases of the games'),
  horizon_years: key('a whole number', null, 'length of a game; null: as its preset has it'),
  company_name: key('a text', 'BenchCo', 'how the company is called'),
  start_date: key('a text', '01/01/2025', 'the first day, MM/DD/YYYY'),
};

/** Functions to write, in several languages. */
export const sweKeys: OwnKeys = {
  dataset_name: datasetName,
  dataset_split: key('a text', 'test', 'its split'),
  prompt_field: key('a text', 'prompt', 'its column with the task'),
};

/** Repairs of Python packages. */
export const sweSmithKeys: OwnKeys = {
  dataset_name: datasetName,
  max_items: key('a whole number', 0, 'rows that are played; 0: all'),
  shuffle: key('true or false', true, 'rows in an order that the seed decides'),
  seed: key('a whole number', 0, 'seed of that order'),
  python_only: key('true or false', true, 'leave out rows of other languages'),
  score_include_fail_to_pass: key('true or false', true, 'score the tests that failed before'),
  prompt_mode: key('a text', 'problem_statement', 'what the model is told of the problem'),
  repo_base_url: key('a text', 'https://github.com', 'where repositories are fetched from'),
  install_timeout_s: key('a number', 600, 'seconds of the installation'),
  test_timeout_s: key('a number', 600, 'seconds of the tests'),
};

/** On-policy distillation over small coding tasks. */
export const agenticOpdKeys: OwnKeys = {
  dataset_name: datasetName,
  opd_enabled: key('true or false', true, 'ask for hints and distil them'),
  distill_topk: key('a whole number', 50, 'log-probs a position'),
  prm_votes: key('a whole number', 3, 'answers of the judge for one turn'),
  hint_max_next_state_chars: key('a whole number', 4000, 'characters that the judge is shown'),
  correctness_weight: key('a number', 0.7, 'part of the reward for passed tests'),
  efficiency_weight: key('a number', 0.15, 'part of the reward for few turns'),
  tool_usage_weight: key('a number', 0.15, 'part of the reward for used tools'),
  eval_size: key('a whole number', 10, 'items of an evaluation'),
  eval_split_ratio: key('a number', 0.15, 'share of the items that is kept for evaluations'),
};

/** Questions that are answered by research on the web. */
export const webResearchKeys: OwnKeys = {
  correctness_weight: key('a number', 0.6, 'part of the reward for the answer'),
  tool_usage_weight: key('a number', 0.2, 'part of the reward for having searched'),
  efficiency_weight: key('a number', 0.2, 'part of the reward for few calls'),
  diversity_bonus: key('a number', 0.1, 'added where two sites and more are cited'),
  efficient_max_calls: key('a whole number', 5, 'calls that cost nothing'),
  heavy_penalty_calls: key('a whole number', 10, 'calls from which each costs more'),
  eval_size: key('a whole number', 20, 'items of an evaluation'),
  eval_split_ratio: key('a number', 0.1, 'share of the items that is kept for evaluations'),
};

/** Made terminal tasks. */
export const endlessTerminalsKeys: OwnKeys = {
  use_dataset: key('true or false', true, 'tasks of the data set instead of a folder'),
  tasks_base_dir: key('a text', '', 'the folder of the tasks'),
  test_timeout_s: key('a number', 60, 'seconds of the tests'),
  default_docker_image: key('a text', 'ubuntu:22.04', 'for tasks without an image'),
  num_eval_tasks: key('a whole number', 10, 'tasks of an evaluation'),
  eval_split_ratio: key('a number', 0.1, 'share of the tasks that is kept for evaluations'),
};

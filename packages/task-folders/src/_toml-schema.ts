import * as z from 'zod';
import type { TaskToml } from './_toml-types.ts';

const PACKAGE_NAME = /^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/;
const texts = z.array(z.string());
const textMap = z.record(z.string(), z.string());
const seconds = z.number().positive();
const networkMode = z.enum(['public', 'no-network', 'allowlist']);

const healthcheck = z.strictObject({
  command: z.string().min(1),
  interval_sec: z.number().nonnegative().default(5),
  timeout_sec: seconds.default(30),
  start_period_sec: z.number().nonnegative().default(0),
  start_interval_sec: z.number().nonnegative().default(5),
  retries: z.int().positive().default(3),
});

const environment = z.strictObject({
  build_timeout_sec: seconds.default(600),
  docker_image: z.string().min(1).optional(),
  os: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['linux', 'windows']))
    .default('linux'),
  cpus: z.number().positive().optional(),
  memory_mb: z.int().positive().optional(),
  storage_mb: z.int().positive().optional(),
  memory: z.string().optional(),
  storage: z.string().optional(),
  gpus: z.int().nonnegative().optional(),
  gpu_types: texts.optional(),
  tpu: z.looseObject({}).optional(),
  mcp_servers: z.array(z.looseObject({})).default([]),
  env: textMap.default({}),
  skills_dir: z.string().optional(),
  workdir: z.string().startsWith('/').optional(),
  healthcheck: healthcheck.optional(),
  network_mode: networkMode.optional(),
  allowed_hosts: texts.default([]),
  allow_internet: z.boolean().optional(),
});

const agent = z.strictObject({
  timeout_sec: seconds.optional(),
  user: z.union([z.string().min(1), z.int()]).optional(),
  network_mode: networkMode.optional(),
  allowed_hosts: texts.optional(),
});

const collect = z.strictObject({
  command: z.string().min(1),
  service: z.string().default('main'),
  timeout_sec: seconds.default(60),
  user: z.union([z.string().min(1), z.int()]).optional(),
});

const artifact = z.union([
  z.string(),
  z.looseObject({ source: z.string(), service: z.string().default('main') }),
]);

const verifier = z.strictObject({
  timeout_sec: seconds.default(600),
  env: textMap.default({}),
  user: z.union([z.string().min(1), z.int()]).optional(),
  environment_mode: z.enum(['shared', 'separate']).optional(),
  environment: z.looseObject({}).optional(),
  collect: z.array(collect).default([]),
  network_mode: networkMode.optional(),
  allowed_hosts: texts.optional(),
});

const task = z.strictObject({
  name: z.string().regex(PACKAGE_NAME, 'must have the form org/name').optional(),
  version: z.string().optional(),
  description: z.string().optional(),
  authors: z.array(z.looseObject({})).optional(),
  keywords: texts.optional(),
});

const metadata = z.looseObject({
  commands: z.array(z.string().min(1)).default([]),
  absolute_paths: z.boolean().optional(),
  stop_processes: z.boolean().optional(),
  tests_system: z.boolean().optional(),
});

const taskToml: z.ZodType<TaskToml> = z.strictObject({
  schema_version: z.string().optional(),
  version: z.string().optional(),
  source: z.string().optional(),
  multi_step_reward_strategy: z.enum(['mean', 'final']).optional(),
  artifacts: z.array(artifact).optional(),
  task: task.optional(),
  metadata: metadata.prefault({}),
  agent: agent.prefault({}),
  verifier: verifier.prefault({}),
  solution: z.strictObject({ env: textMap.default({}) }).prefault({}),
  environment: environment.prefault({}),
  steps: z.array(z.looseObject({})).optional(),
});

/** Checks what TOML gave against task.toml, versions 1.0 to 1.4. Keys it does not know are issues of code `unrecognized_keys`. */
export function checkTaskToml(raw: unknown): z.ZodSafeParseResult<TaskToml> {
  return taskToml.safeParse(raw);
}

import type { RunConfig } from '@hermes/env-core';

const POOL = 'slot-pool';

/** Key `tool_pool_mode` opens the slot pool in the provider that it names, whatever `terminal_backend` says: so the original took it. */
export function withPoolMode(config: RunConfig): RunConfig {
  const mode = config.further.tool_pool_mode ?? 'default';
  const { terminalBackend } = config.env;
  if (mode === 'default' || terminalBackend.replace('_', '-') === POOL) return config;
  const notice = `env.tool_pool_mode ${mode}: sandboxes are slots in ${mode}, as with terminal_backend ${POOL}`;
  return {
    ...config,
    env: { ...config.env, terminalBackend: POOL },
    notices: [...config.notices, notice],
  };
}

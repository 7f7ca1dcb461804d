import { pythonCommand } from '@hermes/vitest-config/services';
import { type RunApi, startRunApi as start } from '../../src/testing/index.ts';

/** The real `run-api` of atroposlib, as a process of its own. */
export function startRunApi(port?: number): Promise<RunApi> {
  return start(pythonCommand, port);
}

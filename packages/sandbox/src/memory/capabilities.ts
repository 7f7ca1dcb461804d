import type { Capabilities } from '../types.ts';

/**
 * What the in-memory sandbox claims. Scripted commands do take standard input and have deadlines, but they are
 * not programs, so nothing is claimed that only a real shell could prove.
 */
export const memoryCapabilities: Capabilities = {
  shell: false,
  persistentFs: true,
  absolutePaths: true,
  sessions: false,
  tty: false,
  stdin: false,
  streaming: false,
  binary: true,
  users: false,
  root: false,
  networkNone: false,
  networkAllowlist: false,
  ports: false,
  snapshot: false,
  reattach: true,
  gpu: false,
  killTree: 'none',
  isolation: 'none',
  resourceLimits: { cpu: false, memory: false, pids: false, disk: false },
  usage: { cpu: false, memory: false, oom: false },
  maxArgBytes: 131_071,
  maxUploadBytes: null,
  timeoutGranularityMs: 1,
};

import type { Sandbox, SandboxOutcome } from '../types.ts';
import { unsupported } from './_errors.ts';
import { execScripted, type ScriptedCommands } from './_exec.ts';
import type { MemoryState } from './_state.ts';
import { memoryCapabilities } from './capabilities.ts';
import { createMemoryFiles } from './memory-files.ts';

/** A handle on a sandbox's state; any number of handles may share one. */
export function createMemorySandbox(state: MemoryState, commands: ScriptedCommands): Sandbox {
  const refuse = (what: string): Promise<never> =>
    state.during(() => Promise.reject(unsupported(what)));
  const dispose = async (): Promise<SandboxOutcome> => {
    state.end('destroyed');
    return outcomeOf(state);
  };
  const info = {
    ...state.info,
    get expiresAtMs() {
      return state.expiresAtMs();
    },
  };
  return {
    ref: state.ref,
    info,
    capabilities: memoryCapabilities,
    files: createMemoryFiles(state),
    gone: state.gone,
    exec: (request) => state.during(() => execScripted(state, commands, request)),
    spawn: () => refuse('streaming processes'),
    session: () => refuse('shell sessions'),
    usage: () => state.during(async () => null),
    health: async () => (state.gone.aborted ? 'dead' : 'ok'),
    extend: (ms) => state.during(async () => state.extend(ms)),
    dispose,
    [Symbol.asyncDispose]: async () => {
      await dispose();
    },
  };
}

function outcomeOf(state: MemoryState): SandboxOutcome {
  return {
    exitReason: state.endReason() ?? 'destroyed',
    usage: null,
    gaps: [{ code: 'sandbox_observation_unavailable', detail: 'no processes to observe' }],
  };
}

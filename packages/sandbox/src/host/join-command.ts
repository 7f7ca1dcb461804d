import { supervisorFiles } from '../core/supervisor-files.ts';
import { SandboxError } from '../types.ts';
import type { Argv } from './launcher.ts';
import type { SandboxRecord } from './sandbox-record.ts';

/**
 * The host's command by which a program joins a running sandbox. Without a process namespace it is the program itself.
 * With one it is this host's Go supervisor, which works on the sandbox's own files: its first process holds them open.
 * Throws UNSUPPORTED for any other program there.
 */
export function joinCommand(argv: Argv, record: SandboxRecord): Argv {
  if (record.init === null) return argv;
  const program = supervisorFiles().binary(process.arch);
  if (argv[0] !== record.supervisorPath || program === null) {
    const message = `join sandbox ${record.ref.id}: only its Go supervisor can be joined, not ${argv[0]}`;
    throw new SandboxError('UNSUPPORTED', 'request', message);
  }
  const stateDir = `/proc/${record.init.pid}/root${record.stateDir}`;
  const isState = (index: number) => argv[index - 1] === '--state';
  return [program, ...argv.slice(1).map((word, index) => (isState(index + 1) ? stateDir : word))];
}

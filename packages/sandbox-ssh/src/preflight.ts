import { type PreflightReport, SandboxError } from '@hermes/sandbox';
import { settingsError } from '@hermes/sandbox/host';
import { describeHop, type Hop } from './hop.ts';
import type { RemoteHost } from './remote-host.ts';

type Problem = PreflightReport['problems'][number];

const FIXES: Readonly<Record<string, string>> = {
  CAPACITY: 'df -h on the host says what is full',
  CONFIG: 'correct the setting that the message names',
  TRANSPORT: 'look whether the host is up and the settings host and port are right',
};

const SET_HOST = 'set TERMINAL_SSH_HOST or --env.sandbox.host';

/** What a user who named no host is told. */
export function noHost(): SandboxError {
  return settingsError('ssh', `no host is named; ${SET_HOST}`);
}

/** The same as a line of the report. */
export const noHostProblem: Problem = {
  code: 'SSH_HOST',
  message: 'sandbox ssh: no host is named',
  fix: SET_HOST,
};

/** A failure as a line of the report. */
export function findProblem(cause: unknown, hop: Hop): Problem {
  const code = SandboxError.isInstance(cause) ? cause.code : 'UNKNOWN';
  const message = cause instanceof Error ? cause.message : String(cause);
  const fix = code === 'AUTH' ? tryByHand(hop) : FIXES[code];
  return { code: `SSH_${code}`, message, fix: fix ?? 'look at the cause, then try again' };
}

function tryByHand({ user, host, port }: Hop): string {
  const where = port === 22 ? '' : `-p ${port} `;
  return `see whether you get in by hand: ssh ${where}${user}@${host}`;
}

/** The host in one line, with what it can and cannot keep. */
export function describeHost(hop: Hop, { kind, cgroups }: RemoteHost): string {
  const kept = (['cpu', 'memory', 'pids'] as const).filter(
    (name) => cgroups?.folders[name] !== undefined,
  );
  const limits =
    kept.length === 0
      ? 'no limits (the account may make no control groups)'
      : `limits of ${kept.join(', ')}`;
  return `isolation none: ${describeHop(hop)}, the ${kind === 'go' ? 'Go' : 'sh'} supervisor, ${limits}`;
}

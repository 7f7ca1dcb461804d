import { type Capabilities, type PreflightReport, SandboxError } from '@hermes/sandbox';
import { settingsError } from '@hermes/sandbox/host';
import type { RemoteHost } from './remote-host.ts';

type Problem = PreflightReport['problems'][number];

const FIXES: Readonly<Record<string, string>> = {
  AUTH: 'correct what the message names',
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
export function findProblem(cause: unknown): Problem {
  const code = SandboxError.isInstance(cause) ? cause.code : 'UNKNOWN';
  const message = cause instanceof Error ? cause.message : String(cause);
  return { code: `SSH_${code}`, message, fix: FIXES[code] ?? 'look at the cause, then try again' };
}

/** What was promised by the settings alone and is not so on the host. */
export function hostProblem(host: RemoteHost, { users }: Pick<Capabilities, 'users'>): Problem[] {
  if (!users || host.isRoot) return [];
  const message = `the account root of this host has no rights of root (it is ${host.account})`;
  return [{ code: 'SSH_ACCOUNT', message, fix: 'log in as another user' }];
}

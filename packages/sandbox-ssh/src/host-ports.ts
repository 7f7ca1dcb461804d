import { SandboxError, type SandboxPorts } from '@hermes/sandbox';
import { forwardedPorts, unsupported } from '@hermes/sandbox/host';
import { portChannel } from './channel.ts';
import type { SshConnection } from './ssh-connection.ts';
import { CHANNEL_REASON, channelReason, sshError } from './ssh-error.ts';

/**
 * Ports of the host's loopback, each behind a port of this machine's loopback, until the sandbox is gone. Only those that the
 * sandbox was made with: any other could be another sandbox's.
 */
export function hostPorts(
  connection: () => Promise<SshConnection>,
  own: readonly number[],
  gone: AbortSignal,
): SandboxPorts {
  const open = async (port: number) => (await connection()).forward('127.0.0.1', port);
  return forwardedPorts({
    check: (port) => checkOwn(port, own),
    prove: (port) => open(port).then((stream) => portChannel(stream).destroy(), unlessClosed(port)),
    dial: async (port) => portChannel(await open(port).catch(fail(port))),
    gone,
  });
}

function checkOwn(port: number, own: readonly number[]): void {
  if (own.includes(port)) return;
  const message = `expose port ${port}: name it in the sandbox's spec.ports`;
  throw new SandboxError('CONFIG', 'request', message);
}

/** A port where nobody listens yet is no reason to refuse; a server that forwards nothing is. */
function unlessClosed(port: number): (cause: unknown) => void {
  return (cause) => {
    if (channelReason(cause) !== CHANNEL_REASON.connectFailed) fail(port)(cause);
  };
}

function fail(port: number): (cause: unknown) => never {
  return (cause) => {
    if (channelReason(cause) === CHANNEL_REASON.prohibited)
      throw unsupported(
        `expose port ${port}: the server forwards no ports; set AllowTcpForwarding in its sshd_config`,
      );
    throw sshError(cause, `reach port ${port} over ssh`);
  };
}

import type { ByteChannel, Proc } from '@hermes/sandbox';

/** A process of an inner sandbox as a channel of bytes. */
export function procChannel(proc: Proc): ByteChannel {
  return {
    stdout: proc.stdout,
    stderr: proc.stderr,
    write: (bytes) => proc.write(bytes),
    closeWrite: () => proc.closeStdin(),
    closed: proc.wait().then(
      (result) => ({ exitCode: result.status === 'exited' ? result.exitCode : null, error: null }),
      (cause: unknown) => ({ exitCode: null, error: String(cause) }),
    ),
    // One that cannot be reached any more has nothing to be ended by us.
    destroy: () => void proc.kill('KILL').catch(() => undefined),
  };
}

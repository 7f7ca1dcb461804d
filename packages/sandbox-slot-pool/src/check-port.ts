import { SandboxError } from '@hermes/sandbox';

/** Throws CONFIG for what is no port's number. */
export function checkPort(port: number): void {
  if (Number.isInteger(port) && port > 0 && port < 65_536) return;
  throw new SandboxError('CONFIG', 'request', `expose port ${port}: no such port`);
}

import { transportError } from './errors.ts';

/** What a supervisor says about itself. */
export type Welcome = Readonly<{
  supervisor: string;
  os: string;
  arch: string;
  boot: string;
  pid: number;
  uid: number;
  features: ReadonlySet<string>;
  running: readonly string[];
  /** Bytes that may be sent per id before the supervisor grants more. */
  credit: number;
}>;

/** Offsets that the client holds of each exec that may still run, by idempotency key. */
export type ResumeOffsets = Record<string, { stdout: number; stderr: number }>;

/** The one object in a control frame; throws TRANSPORT when there is none. */
export function parseControl(payload: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(payload.toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (cause) {
    throw transportError('the supervisor sent a control frame that is no JSON', cause);
  }
  throw transportError('the supervisor sent a control frame that is no object');
}

export function parseWelcome(payload: Buffer): Welcome {
  const value = parseControl(payload);
  const running = Array.isArray(value.running) ? value.running : [];
  return {
    supervisor: text(value.supervisor),
    os: text(value.os),
    arch: text(value.arch),
    boot: text(value.boot),
    pid: count(value.pid),
    uid: count(value.uid),
    features: new Set(Array.isArray(value.features) ? value.features.map(text) : []),
    running: running.map((entry: { key?: unknown }) => text(entry.key)),
    credit: count(value.credit),
  };
}

/** The error that an error frame stands for, in the supervisor's words. */
export function parseErrorFrame(payload: Buffer): Readonly<{ code: string; message: string }> {
  const value = parseControl(payload);
  return { code: text(value.code), message: text(value.message) };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

import type { Keep } from './output-collector.ts';
import { parseControl } from './welcome.ts';

/** The payload of a start frame. Absent fields are the supervisor's defaults. */
export type StartFrame = Readonly<{
  key: string;
  argv?: readonly string[];
  script?: string;
  scriptParts?: true;
  shell?: string;
  cwd?: string;
  env: Readonly<Record<string, string>>;
  user?: string;
  session?: number;
  stdin: 'none' | 'open';
  tty?: Readonly<{ cols: number; rows: number }>;
  timeoutMs: number;
  killGraceMs: number;
  maxBytes: number;
  keep: Keep;
  merge: boolean;
  killAtLimit: boolean;
  background: 'kill' | 'adopt';
  drainMs: number;
  drainIdleMs: number;
}>;

export type StartedFrame = Readonly<{ pid: number | null; startedAtMs: number; queuedMs: number }>;

export type ExitFrame = Readonly<{
  status: string;
  code: number | null;
  signal: string | null;
  message: string;
  stdoutTotal: number;
  stderrTotal: number;
  pipesOpen: boolean;
  killedPids: number;
  wallMs: number;
  usage: Readonly<{ cpuSeconds: number | null; peakMemoryBytes: number | null }> | null;
  cwdAfter: string | null;
}>;

export function parseStarted(payload: Buffer): StartedFrame {
  const value = parseControl(payload);
  return {
    pid: numberOf(value.pid),
    startedAtMs: numberOf(value.startedAt) ?? 0,
    queuedMs: numberOf(value.queuedMs) ?? 0,
  };
}

export function parseExit(payload: Buffer): ExitFrame {
  const value = parseControl(payload);
  const leftover = objectOf(value.leftover);
  return {
    status: textOf(value.status) ?? '',
    code: numberOf(value.code),
    signal: textOf(value.signal),
    message: textOf(value.message) ?? '',
    stdoutTotal: numberOf(objectOf(value.stdout).total) ?? 0,
    stderrTotal: numberOf(objectOf(value.stderr).total) ?? 0,
    pipesOpen: leftover.pipesOpen === true,
    killedPids: numberOf(leftover.killedPids) ?? 0,
    wallMs: numberOf(value.wallMs) ?? 0,
    usage: parseUsage(value.usage),
    cwdAfter: textOf(value.cwdAfter),
  };
}

/** Null when there is nothing to know. */
export function parseUsage(value: unknown): ExitFrame['usage'] {
  const usage = objectOf(value);
  const cpuSeconds = numberOf(usage.cpuSeconds);
  const peakMemoryBytes = numberOf(usage.peakMemoryBytes);
  if (cpuSeconds === null && peakMemoryBytes === null) return null;
  return { cpuSeconds, peakMemoryBytes };
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

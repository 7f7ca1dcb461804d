import type { Instant, JsonObject } from '@hermes/protocol';
import type { BackgroundProcess } from './_background-process.ts';
import { headOf, stripAnsi, tailOf } from './_text.ts';

/** One line of `list`. */
export function describeForList(process: BackgroundProcess, now: Instant): JsonObject {
  return {
    session_id: process.id,
    command: headOf(process.command, 200),
    cwd: process.cwd,
    pid: process.pid,
    started_at: new Date(process.startedAt.wallMs).toISOString(),
    uptime_seconds: uptimeSeconds(process, now),
    status: statusOf(process),
    output_preview: outputTail(process, 200),
    ...exitCodeOf(process),
  };
}

/** The answer to `poll`. */
export function pollOf(process: BackgroundProcess, now: Instant): JsonObject {
  return {
    session_id: process.id,
    command: process.command,
    status: statusOf(process),
    pid: process.pid,
    uptime_seconds: uptimeSeconds(process, now),
    output_preview: outputTail(process, 1000),
    ...exitCodeOf(process),
  };
}

/** The answer to `log`: by lines, offset 0 meaning the last ones. */
export function logOf(process: BackgroundProcess, offset: number, limit: number): JsonObject {
  const lines = linesOf(stripAnsi(process.output()));
  const selected = offset === 0 ? lines.slice(-limit) : lines.slice(offset, offset + limit);
  return {
    session_id: process.id,
    status: statusOf(process),
    output: selected.join('\n'),
    total_lines: lines.length,
    showing: `${selected.length} lines`,
  };
}

/** The end of what it wrote, without control sequences. */
export function outputTail(process: BackgroundProcess, codePoints: number): string {
  return tailOf(stripAnsi(process.output()), codePoints);
}

/** exit_code, once there is one. */
export function exitCodeOf({ ended }: BackgroundProcess): JsonObject {
  return ended === null ? {} : { exit_code: ended.exitCode };
}

function statusOf({ ended }: BackgroundProcess): string {
  return ended === null ? 'running' : 'exited';
}

function uptimeSeconds({ startedAt, ended }: BackgroundProcess, now: Instant): number {
  return Math.floor(((ended?.at ?? now).monoMs - startedAt.monoMs) / 1000);
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

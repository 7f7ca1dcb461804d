import { type Change, diffSequences } from './diff-sequences.ts';

const CONTEXT = 3;
const MOST_CHARS = 40_000;
const MOST_LINE_CHARS = 500;

/** A unified diff for people and models to read; long lines and long diffs are cut. null: there was, or is, no file. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  if (before === after) return '';
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const head = [
    before === null ? '--- /dev/null' : `--- a/${path.replace(/^\//, '')}`,
    after === null ? '+++ /dev/null' : `+++ b/${path.replace(/^\//, '')}`,
  ];
  const hunks = grouped(diffSequences(oldLines, newLines)).flatMap((changes) =>
    hunkOf(changes, oldLines, newLines),
  );
  const lines: string[] = [];
  let chars = 0;
  for (const line of [...head, ...hunks]) {
    chars += Math.min(line.length, MOST_LINE_CHARS) + 1;
    if (chars > MOST_CHARS) return [...lines, '[The rest of the diff is left out]'].join('\n');
    lines.push(line.length > MOST_LINE_CHARS ? `${line.slice(0, MOST_LINE_CHARS)}...` : line);
  }
  return lines.join('\n').replace(/\p{Surrogate}/gu, '\ufffd');
}

function linesOf(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}

/** Changes whose context would touch are shown together. */
function grouped(changes: readonly Change[]): readonly (readonly Change[])[] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const isNear = change.oldStart - (last?.at(-1)?.oldEnd ?? -Infinity) <= 2 * CONTEXT;
    if (last !== undefined && isNear) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(
  changes: readonly Change[],
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly string[] {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return [];
  const before = Math.min(CONTEXT, first.oldStart);
  const after = Math.min(CONTEXT, oldLines.length - last.oldEnd);
  const [oldFrom, newFrom] = [first.oldStart - before, first.newStart - before];
  const lines: string[] = [];
  let at = oldFrom;
  const keep = (until: number): void => {
    for (; at < until; at += 1) lines.push(` ${oldLines[at]}`);
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    keep(oldStart);
    for (; at < oldEnd; at += 1) lines.push(`-${oldLines[at]}`);
    for (let index = newStart; index < newEnd; index += 1) lines.push(`+${newLines[index]}`);
  }
  keep(last.oldEnd + after);
  const range = (from: number, to: number): string => `${to > from ? from + 1 : from},${to - from}`;
  const header = `@@ -${range(oldFrom, last.oldEnd + after)} +${range(newFrom, last.newEnd + after)} @@`;
  return [header, ...lines];
}

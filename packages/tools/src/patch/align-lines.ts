import { diffLines } from './pair-lines.ts';

/** For each new line which old line it is, whatever the indentation of either; -1: none. */
export function alignLines(
  oldLines: readonly string[],
  newLines: readonly string[],
): readonly number[] {
  const [olds, news] = [oldLines, newLines].map((lines) => lines.map((line) => line.trim()));
  const aligned = new Array<number>(newLines.length).fill(-1);
  let [oldIndex, newIndex] = [0, 0];
  const keepUntil = (oldEnd: number): void => {
    while (oldIndex < oldEnd) aligned[newIndex++] = oldIndex++;
  };
  for (const change of diffLines(olds ?? [], news ?? [])) {
    keepUntil(change.oldStart);
    if (change.isSameLine) aligned[newIndex] = oldIndex;
    [oldIndex, newIndex] = [change.oldEnd, change.newEnd];
  }
  keepUntil(oldLines.length);
  return aligned;
}

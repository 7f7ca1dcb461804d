/** A part of the old sequence and what stands in its place in the new one; ends not included. */
export type Change = Readonly<{
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}>;

/** More differences than that are shown as one change of all that lies between. */
const MOST_DIFFERENCES = 1000;

/** What changed from one sequence to another, by the shortest edit script (Myers). */
export function diffSequences(
  oldItems: readonly string[],
  newItems: readonly string[],
): readonly Change[] {
  const shorter = Math.min(oldItems.length, newItems.length);
  let before = 0;
  while (before < shorter && oldItems[before] === newItems[before]) before += 1;
  let after = 0;
  while (after < shorter - before && oldItems.at(-1 - after) === newItems.at(-1 - after))
    after += 1;
  const oldMiddle = oldItems.slice(before, oldItems.length - after);
  const newMiddle = newItems.slice(before, newItems.length - after);
  return diffMiddles(oldMiddle, newMiddle).map((change) => ({
    oldStart: change.oldStart + before,
    oldEnd: change.oldEnd + before,
    newStart: change.newStart + before,
    newEnd: change.newEnd + before,
  }));
}

function diffMiddles(oldItems: readonly string[], newItems: readonly string[]): readonly Change[] {
  if (oldItems.length + newItems.length === 0) return [];
  const whole = { oldStart: 0, oldEnd: oldItems.length, newStart: 0, newEnd: newItems.length };
  if (oldItems.length === 0 || newItems.length === 0) return [whole];
  const trail = searchForward(oldItems, newItems);
  return trail === null ? [whole] : walkBack(trail, oldItems.length, newItems.length);
}

/** For each number of differences: how far each diagonal got in the old sequence. null: too different. */
function searchForward(
  oldItems: readonly string[],
  newItems: readonly string[],
): readonly Int32Array[] | null {
  const most = Math.min(MOST_DIFFERENCES, oldItems.length + newItems.length);
  const trail: Int32Array[] = [];
  let reached = new Int32Array(2 * most + 3);
  for (let differences = 0; differences <= most; differences += 1) {
    const before = reached;
    trail.push(before.slice(most - differences, most + differences + 3));
    reached = before.slice();
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const at = most + 1 + diagonal;
      const [left, right] = [before[at - 1] ?? 0, before[at + 1] ?? 0];
      const down = diagonal === -differences || (diagonal !== differences && left < right);
      let position = down ? right : left + 1;
      while (position < oldItems.length && position - diagonal < newItems.length) {
        if (oldItems[position] !== newItems[position - diagonal]) break;
        position += 1;
      }
      reached[at] = position;
      if (position >= oldItems.length && position - diagonal >= newItems.length) return trail;
    }
  }
  return null;
}

function walkBack(
  trail: readonly Int32Array[],
  oldLength: number,
  newLength: number,
): readonly Change[] {
  const changes: Change[] = [];
  let oldEnd = oldLength;
  let newEnd = newLength;
  for (let differences = trail.length - 1; differences > 0; differences -= 1) {
    const before = trail[differences] ?? new Int32Array();
    const diagonal = oldEnd - newEnd;
    const at = differences + 1 + diagonal;
    const [left, right] = [before[at - 1] ?? 0, before[at + 1] ?? 0];
    const down = diagonal === -differences || (diagonal !== differences && left < right);
    const oldStart = down ? right : left;
    const newStart = oldStart - (down ? diagonal + 1 : diagonal - 1);
    const step = down
      ? { oldEnd: oldStart, newEnd: newStart + 1 }
      : { oldEnd: oldStart + 1, newEnd: newStart };
    addBefore(changes, { oldStart, newStart, ...step });
    oldEnd = oldStart;
    newEnd = newStart;
  }
  return changes;
}

/** Steps that touch become one change. */
function addBefore(changes: Change[], step: Change): void {
  const next = changes[0];
  const touches = next?.oldStart === step.oldEnd && next.newStart === step.newEnd;
  if (next === undefined || !touches) changes.unshift(step);
  else changes[0] = { ...next, oldStart: step.oldStart, newStart: step.newStart };
}

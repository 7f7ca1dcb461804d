/** Indices, in order, of sizes that add up exactly to the target; empty when none do. Earlier ones are preferred. */
export function findGroupsThatSumTo(sizes: readonly number[], target: number): readonly number[] {
  return takeWhatFits(sizes, target) ?? searchSum(sizes, target);
}

function takeWhatFits(sizes: readonly number[], target: number): readonly number[] | null {
  const chosen: number[] = [];
  let sum = 0;
  for (const [index, size] of sizes.entries()) {
    if (sum + size > target) continue;
    chosen.push(index);
    sum += size;
    if (sum === target) return chosen;
  }
  return null;
}

/** Which sums the first n sizes can make, for each n; then back from the last, taking each size that some sum of those before completes. */
function searchSum(sizes: readonly number[], target: number): readonly number[] {
  const reachable = [new Set([0])];
  for (const size of sizes) {
    const before = reachable.at(-1) as ReadonlySet<number>;
    const extended = [...before].map((sum) => sum + size).filter((sum) => sum <= target);
    reachable.push(new Set([...before, ...extended]));
  }
  if (!reachable.at(-1)?.has(target)) return [];
  const chosen: number[] = [];
  let missing = target;
  for (let index = sizes.length - 1; index >= 0; index -= 1) {
    const size = sizes[index] as number;
    if (!reachable[index]?.has(missing - size)) continue;
    chosen.unshift(index);
    missing -= size;
  }
  return chosen;
}

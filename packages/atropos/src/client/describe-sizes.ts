/** What a trainer would make of groups of this size; null = all is well. isFatal: no batch will ever be full. */
export function describeSizes(
  groupSize: number,
  batchSize: number | null,
): Readonly<{ message: string; isFatal: boolean }> | null {
  if (batchSize === null) return null;
  if (batchSize % groupSize !== 0) {
    const message = `Groups of ${groupSize} sequences never fill a batch of ${batchSize}: choose a group size that divides it.`;
    return { message, isFatal: true };
  }
  if (Number.isInteger(Math.log2(groupSize))) return null;
  const message = `Groups of ${groupSize} sequences go well alone, but beside an environment with another group size they can block each other: powers of two do not.`;
  return { message, isFatal: false };
}

/** Numbers from a bell curve of mean 0 and deviation 1, the same ones each time, to the last bit on every machine. */
export function createNoise(seed: number): () => number {
  const uniform = createUniform(seed);
  return () => {
    // Twelve uniform numbers: by additions alone, because logarithms may differ between machines.
    let sum = -6;
    for (let count = 0; count < 12; count += 1) sum += uniform();
    return sum;
  };
}

/** mulberry32: [0, 1). */
function createUniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import { createHash } from 'node:crypto';
import type { Random } from '@hermes/protocol';

/** Numbers that depend on the seed alone. A fork depends on seed and label, not on what was drawn before. */
export function seededRandom(seed: string): Random {
  let state: Uint32Array | null = null;
  return {
    next: () => {
      state ??= seedState(seed);
      return nextNumber(state);
    },
    fork: (label) => seededRandom(`${seed.length}:${seed}/${label}`),
  };
}

/** A whole number in [0, 2^32) out of a text. */
export function hashToUint32(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}

function seedState(seed: string): Uint32Array {
  const digest = createHash('sha256').update(seed).digest();
  return Uint32Array.from([0, 4, 8, 12], (offset) => digest.readUInt32LE(offset));
}

/** sfc32: small, fast and good enough for shuffles, jitter and the bootstrap. */
function nextNumber(state: Uint32Array): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state;
  const sum = (a + b + counter) >>> 0;
  state[0] = b ^ (b >>> 9);
  state[1] = c + (c << 3);
  state[2] = ((c << 21) | (c >>> 11)) + sum;
  state[3] = counter + 1;
  return sum / 4_294_967_296;
}

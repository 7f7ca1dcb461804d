import { train } from './trainer.js';

/** The same numbers in every run (a linear congruential generator). */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const { probabilities, history } = train({ steps: 300, random: seeded(7) });
const last = history.at(-1);
process.stdout.write(
  `${JSON.stringify({ right: probabilities.at(-1), first: history.slice(0, 50).map((entry) => entry.reward), last })}\n`,
);

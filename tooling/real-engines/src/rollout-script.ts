import { type AutomatonScript, callText, defaultScript } from '@hermes/automaton';

/** Calls the terminal, and calls again after a result with the chance 0.8: two of three rollouts have four turns and more. */
export const rolloutScript: AutomatonScript = {
  ...defaultScript,
  calls: [
    { text: callText('terminal', { command: 'echo hello' }), weight: 1 },
    { text: callText('terminal', { command: "printf 'Grüße 😀 \\n'; false" }), weight: 1 },
  ],
  callAgain: 0.8,
};

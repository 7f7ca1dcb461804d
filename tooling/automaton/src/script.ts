/** A text that the model may write, and how likely it is beside the others of its list. */
export type Choice = Readonly<{ text: string; weight: number }>;

/**
 * What an automaton does. With tools in its prompt it calls one of `calls`; once it has seen a tool
 * result it calls again with the chance `callAgain`, else it gives one of `answers` and ends its
 * turn. Without tools it writes random text. The chances hold at temperature 1 for any length of the
 * prompt, so tests can reckon with them.
 */
export type AutomatonScript = Readonly<{
  /** What may stand between `<tool_call>` and `</tool_call>`; see `callText`. */
  calls: readonly Choice[];
  answers: readonly Choice[];
  /** From 0 to 1; default 0. */
  callAgain?: number;
  /** Rows of the vocabulary, at least; default: those of its tokens. Real models have 30,000 to 250,000. */
  rows?: number;
}>;

/** A call as text. It has no spaces, unlike what the chat template writes: rendered anew, it is other tokens. */
export function callText(name: string, callArguments: Readonly<Record<string, unknown>>): string {
  return `\n${JSON.stringify({ name, arguments: callArguments })}\n`;
}

/** Two calls and two answers, of each the first a little likelier; so greedy sampling takes the first. */
export const defaultScript: AutomatonScript = {
  calls: [
    { text: callText('get_weather', { city: 'Paris' }), weight: 0.52 },
    { text: callText('terminal', { command: 'echo hello' }), weight: 0.48 },
  ],
  answers: [
    { text: 'The answer is \\boxed{42}.', weight: 0.52 },
    { text: 'The answer is \\boxed{41}.', weight: 0.48 },
  ],
};

/** Of a list of choices: the natural logarithm of the chance of each. */
export function logChances(choices: readonly Choice[]): number[] {
  const sum = choices.reduce((total, { weight }) => total + weight, 0);
  return choices.map(({ weight }) => Math.log(weight / sum));
}

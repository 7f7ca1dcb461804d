import type { TokenEngine, Tokenizer } from '@hermes/protocol';

/** An engine in this process: what its forced pass says is right for every engine that serves the same weights. */
export type Referee = Readonly<{ engine: TokenEngine; tokenizer: Tokenizer }>;

/** A question without tools: greedy, the automaton's answer to it never ends. */
export function endlessPrompt({ tokenizer }: Referee): readonly number[] {
  const messages = [{ role: 'user', content: 'Say something.' }] as const;
  return tokenizer.render({ messages, generationPrompt: true }).ids;
}

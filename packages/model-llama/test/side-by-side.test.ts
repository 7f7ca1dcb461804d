import { defaultScript } from '@hermes/automaton';
import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { expect, it, onTestFinished } from 'vitest';
import { startLlama } from '../src/llama-binding.ts';
import { openModel } from '../src/open-model.ts';
import { automatonFile } from './_engine.ts';

it('keeps the distributions of the sequences in a batch apart, in whatever order they come', async () => {
  const llama = await startLlama({ threads: 1 }, () => undefined);
  onTestFinished(() => llama.dispose());
  // Many rows, as real models have: llama.cpp is busy with them for long enough to be disturbed.
  const path = await automatonFile({ ...defaultScript, rows: 16_384 });
  const options = { path, contextTokens: 512, sequences: 4, threads: 1 };
  const { model, context } = await openModel(llama, options);
  const sequences = Array.from({ length: 4 }, () => context.getSequence());
  const tokenOf = (text: string) => model.tokenize(text, true)[0] as Token;
  const follows = [
    [tokenOf('</tool_call>'), tokenOf('<|im_end|>')],
    [tokenOf('<tool_call>'), tokenOf(defaultScript.calls[0]?.text ?? '')],
  ] as const;
  // llama.cpp takes neighbours together, 0 with 1 and 2 with 3, and has to put the rows right after.
  const order = [0, 2, 1, 3].flatMap((index) => sequences[index] ?? []);
  let wrong = 0;
  for (let round = 0; round < 200; round += 1) {
    const next = await Promise.all(
      order.map((sequence, index) => nextOf(sequence, follows[index >> 1]?.[0] ?? (0 as Token))),
    );
    wrong += next.filter((token, index) => token !== follows[index >> 1]?.[1]).length;
  }
  expect(wrong).toBe(0);
});

/** The likeliest token behind another one. */
async function nextOf(sequence: LlamaContextSequence, token: Token): Promise<Token | undefined> {
  if (sequence.nextTokenIndex > 100) await sequence.clearHistory();
  const [output] = await sequence.controlledEvaluate([[token, { generateNext: { token: true } }]]);
  return output?.next.token ?? undefined;
}

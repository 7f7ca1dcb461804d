import { describe, expect, it } from 'vitest';
import {
  answer,
  generate,
  openAutomaton,
  question,
  questionWithTools,
  toolResult,
} from './_engine.ts';

const { engine, tokenizer } = await openAutomaton();
const prompt = questionWithTools(tokenizer);

describe('a conversation with tools', () => {
  it('calls a tool, reads the result and answers; nothing is evaluated twice', async () => {
    const call = await answer(engine, prompt, { temperature: 0 });
    expect(tokenizer.decode(call.ids)).toBe(
      '<tool_call>\n{"name":"get_weather","arguments":{"city":"Paris"}}\n</tool_call><|im_end|>',
    );
    const second = [...prompt, ...call.ids, ...toolResult(tokenizer, '18 C')];
    const { result } = await generate(engine, {
      ids: second,
      n: 1,
      sampling: { temperature: 0, maxTokens: 9 },
    });
    expect(tokenizer.decode(result.outputs[0]?.ids ?? [])).toBe(
      'The answer is \\boxed{42}.<|im_end|>',
    );
    expect(result.cachedTokens).toBe(prompt.length + call.ids.length - 1);
    expect(result.promptIds).toEqual(second);
  });

  it('tells the log-probs of the distribution that the weights make', async () => {
    const likelier = await answer(engine, prompt, { temperature: 0 });
    expect(likelier.logprobs).toHaveLength(likelier.ids.length);
    expect(likelier.logprobs[1]).toBeCloseTo(Math.log(0.52), 3);
    for (const index of [0, 2, 3]) expect(likelier.logprobs[index]).toBeCloseTo(0, 4);
  });

  it('ends with the token that ends a turn, once', async () => {
    const { ids, finish } = await answer(engine, prompt);
    expect(finish).toEqual({ type: 'stop', matchedId: 2, matchedText: null });
    expect(ids.filter((id) => id === 2)).toHaveLength(1);
  });
});

describe('deltas', () => {
  it('are what the result has, each as it was sampled, between the start and the end of one attempt', async () => {
    const { events, result } = await generate(engine, {
      ids: question(tokenizer),
      n: 2,
      sampling: { seed: 3, maxTokens: 12 },
    });
    expect(events.map(({ type }) => type).filter((type) => type !== 'tokens_delta')).toEqual([
      'attempt_start',
      'attempt_end',
      'result',
    ]);
    for (const [choice, output] of result.outputs.entries()) {
      const own = events.flatMap((event) =>
        event.type === 'tokens_delta' && event.choice === choice ? [event] : [],
      );
      expect(own.flatMap(({ ids }) => ids)).toEqual(output.ids);
      expect(own.flatMap(({ logprobs }) => logprobs)).toEqual(output.logprobs);
    }
  });

  it('come with an account of what was used', async () => {
    const { events } = await generate(engine, { ids: prompt, n: 3, sampling: { seed: 1 } });
    const end = events.find((event) => event.type === 'attempt_end');
    expect(end?.type === 'attempt_end' && end.attempt).toMatchObject({
      error: null,
      usage: { inputTokens: prompt.length, outputTokens: 12, totalTokens: prompt.length + 12 },
    });
  });
});

describe('several answers', () => {
  it('are as many as asked for, also more than there are sequences, and differ', async () => {
    const { result } = await generate(engine, {
      ids: question(tokenizer),
      n: 9,
      sampling: { seed: 1, maxTokens: 16 },
    });
    expect(result.outputs).toHaveLength(9);
    expect(new Set(result.outputs.map(({ ids }) => ids.join())).size).toBe(9);
  });

  it('are the same ones for the same seed, whatever ran before', async () => {
    const request = { ids: question(tokenizer), n: 3, sampling: { seed: 7, maxTokens: 16 } };
    const first = await generate(engine, request);
    await answer(engine, prompt);
    const second = await generate(engine, request);
    expect(second.result.outputs).toEqual(first.result.outputs);
  });

  it('are others each time without a seed', async () => {
    const texts = await Promise.all(
      Array.from({ length: 4 }, () => answer(engine, question(tokenizer), { maxTokens: 16 })),
    );
    expect(new Set(texts.map(({ ids }) => ids.join())).size).toBe(4);
  });
});

describe('the end of an answer', () => {
  it('is the limit of tokens, which is told as such', async () => {
    const { ids, finish } = await answer(engine, prompt, { maxTokens: 2 });
    expect(ids).toHaveLength(2);
    expect(finish).toEqual({ type: 'length' });
  });

  it('is the end of the context where that comes first', async () => {
    const small = await openAutomaton({ contextTokens: 256, sequences: 1 });
    const long = [362, ...Array.from({ length: 253 }, () => 314)];
    const { ids, finish } = await answer(small.engine, long, { maxTokens: 100, temperature: 0 });
    expect([ids, finish.type]).toEqual([[363, 369], 'length']);
  });

  it('is a stop that lies across tokens; they stay', async () => {
    const stop = 'swer is \\boxed{4';
    const ids = [...prompt, 363, 369, 364, 2, ...toolResult(tokenizer, '18 C')];
    const output = await answer(engine, ids, { temperature: 0, stop: ['nowhere', stop] });
    expect(output.finish).toEqual({ type: 'stop', matchedId: null, matchedText: stop });
    expect(tokenizer.decode(output.ids)).toContain(stop);
  });

  it('is an id that was named', async () => {
    const { result } = await generate(engine, { ids: prompt, n: 1, sampling: {}, stopIds: [364] });
    expect(result.outputs[0]?.finish).toEqual({ type: 'stop', matchedId: 364, matchedText: null });
    expect(result.outputs[0]?.ids.at(-1)).toBe(364);
  });
});

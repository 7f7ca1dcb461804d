import { expect, it } from 'vitest';
import type { Action } from '../src/open-env/action.ts';
import { Exchange } from '../src/open-env/exchange.ts';

const requestOf = (content: string) =>
  ({ messages: [{ role: 'user', content }], sampling: {} }) as const;
const actionOf = (content: string): Action => ({
  message: { role: 'assistant', content },
  finishReason: 'stop',
});

it('an answer that comes after its question was given up is no answer to the next one', async () => {
  const exchange = new Exchange();
  const stop = new AbortController();
  const first = exchange.ask(requestOf('first'), stop.signal);
  const shown = await exchange.asked();
  stop.abort();
  await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
  const second = exchange.ask(requestOf('second'), new AbortController().signal);
  exchange.answer(shown, actionOf('to the first'));
  const next = await exchange.asked();
  expect(next.request).toEqual(requestOf('second'));
  exchange.answer(next, actionOf('to the second'));
  expect(await second).toEqual(actionOf('to the second'));
});

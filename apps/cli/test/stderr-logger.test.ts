import { expect, it } from 'vitest';
import { createStderrLogger } from '../src/stderr-logger.ts';

function written(options: { isTerminal?: boolean; isDebug?: boolean }): string {
  let text = '';
  const write = (chunk: string): void => {
    text += chunk;
  };
  const output = { write, isTerminal: options.isTerminal ?? false, columns: 80 };
  const logger = createStderrLogger(output, options.isDebug ?? false);
  logger.log('debug', 'small talk');
  logger.log('info', 'news');
  logger.log('warn', 'two\nlines', { sandboxId: 'a', count: 2 });
  logger.log('error', 'bad');
  return text;
}

it('writes warnings and errors, one line each, with what is known', () => {
  expect(written({})).toBe(
    'hermes: warning: two\\nlines {"sandboxId":"a","count":2}\nhermes: error: bad\n',
  );
});

it('writes the rest too when everything is asked for', () => {
  expect(written({ isDebug: true })).toMatch(/^hermes: debug: small talk\nhermes: info: news\n/);
});

it('wipes the status line of a terminal first', () => {
  expect(written({ isTerminal: true }).startsWith('\r\u001b[Khermes: warning')).toBe(true);
});

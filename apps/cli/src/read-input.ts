import { addAbortSignal } from 'node:stream';
import type { CliContext } from './context.ts';

/** The text on stdin, in the pieces in which it arrives. Interrupts end it with an `AbortError`. */
export async function* readInput(
  context: Pick<CliContext, 'stdin' | 'signal' | 'stderr'>,
): AsyncGenerator<string> {
  const stdin = context.stdin();
  if ('isTTY' in stdin && stdin.isTTY === true)
    context.stderr.write('reading from the terminal; Ctrl-D ends the text\n');
  const decoder = new TextDecoder();
  for await (const chunk of addAbortSignal(context.signal, stdin)) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

/** All of stdin. */
export async function readWholeInput(context: Parameters<typeof readInput>[0]): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of readInput(context)) pieces.push(piece);
  return pieces.join('');
}

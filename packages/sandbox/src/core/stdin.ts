import type { ExecRequest } from '../types.ts';
import { isAsyncIterable } from './bytes.ts';
import type { ExecCall } from './exec-call.ts';
import { FRAME } from './frames.ts';
import type { Link } from './link.ts';
import { sendData } from './send-window.ts';

/** Sends a request's input and closes it. Ends early, and quietly, when the command has ended. Rejects with the source's own error. */
export async function sendStdin(
  link: Link,
  call: ExecCall,
  stdin: NonNullable<ExecRequest['stdin']>,
): Promise<void> {
  if (stdin === 'open') return;
  if (isAsyncIterable(stdin)) await sendPieces(link, call, stdin);
  else await sendData(link, FRAME.stdin, call.id, call.window, inputBytes(stdin));
  call.endStdin();
}

function inputBytes(stdin: Uint8Array | string): Uint8Array {
  return typeof stdin === 'string' ? Buffer.from(stdin) : stdin;
}

async function sendPieces(
  link: Link,
  call: ExecCall,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const source = pieces[Symbol.asyncIterator]();
  const release = () => letGo(source);
  call.ended.then(release, release);
  for (;;) {
    const next = await source.next();
    if (next.done === true || call.window.closed) return;
    await sendData(link, FRAME.stdin, call.id, call.window, next.value);
  }
}

/** A source that waits for something answers `return` late or never, so nobody waits for that. */
function letGo(source: AsyncIterator<Uint8Array>): void {
  void Promise.resolve(source.return?.()).catch(() => undefined);
}

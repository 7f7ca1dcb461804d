import type { CliOptions, Output } from '../src/index.ts';
import { type Ended, hermes } from './_run.ts';

/** Starts a command that has no end of its own, does the work with what it has told on stdout, and ends it. result: of the work. */
export async function whileServing<T>(
  argv: readonly string[],
  options: CliOptions,
  work: (told: string) => Promise<T>,
): Promise<Ended & Readonly<{ result: T }>> {
  const stop = new AbortController();
  const { output, line } = firstLine();
  const ended = hermes(argv, { ...options, stdout: output, signal: stop.signal });
  const early = ended.then(({ stderr }) => Promise.reject(new Error(`it has ended: ${stderr}`)));
  try {
    const result = await work(await Promise.race([line, early]));
    stop.abort();
    return { ...(await ended), result };
  } finally {
    stop.abort();
    await early.catch(() => undefined); // the end that was asked for
  }
}

function firstLine(): Readonly<{ output: Output; line: Promise<string> }> {
  let write: (text: string) => void = () => undefined;
  const line = new Promise<string>((resolve) => {
    write = (text) => resolve(text.trim());
  });
  return { output: { write: (text) => write(text), isTerminal: false, columns: 80 }, line };
}

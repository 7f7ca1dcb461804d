/** The exit after a second signal, for people who do not want to wait for a clean shutdown. */
const impatientExit = 130;
const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface InterruptSignals {
  readonly signal: AbortSignal;
  dispose(): void;
}

/** The first SIGINT, SIGTERM or SIGHUP (the terminal was closed) aborts; the second ends the process at once. write: tells the user. Dispose gives the signals back. */
export function listenForInterrupts(write: (text: string) => void): InterruptSignals {
  const controller = new AbortController();
  const listener = (name: string): void => {
    if (controller.signal.aborted) process.exit(impatientExit);
    write(`\n${name}: ending the run cleanly; once more to stop at once\n`);
    controller.abort(new Error(`interrupted by ${name}`));
  };
  for (const name of names) process.on(name, listener);
  return {
    signal: controller.signal,
    dispose: () => {
      for (const name of names) process.off(name, listener);
    },
  };
}

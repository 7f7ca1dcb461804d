import type { Clock } from '@hermes/protocol';

/** What may end a command before its own answer. */
type Interruptions<Ended> = Readonly<{
  clock: Clock;
  /** Infinity: never. */
  timeoutMs: number;
  onTimeout: () => Ended;
  signals: readonly AbortSignal[];
  /** How the command ends when one of the signals has fired; null: it goes on. A throw ends it too. */
  onAbort: () => Ended | null;
}>;

/** The answer, or what comes before it. Nothing of the losers stays behind: no listener, no timer. */
export async function unlessInterrupted<Ended>(
  answer: Promise<Ended>,
  interruptions: Interruptions<Ended>,
): Promise<Ended> {
  const { signals, onAbort } = interruptions;
  const timer = new AbortController();
  let check = (): void => undefined;
  const interrupted = new Promise<Ended>((resolve, reject) => {
    check = () => {
      try {
        const ended = onAbort();
        if (ended !== null) resolve(ended);
      } catch (error) {
        reject(error);
      }
    };
    startTimer(interruptions, timer.signal, resolve);
  });
  for (const signal of signals) signal.addEventListener('abort', check, { once: true });
  check(); // a signal may have fired before anybody listened
  try {
    return await Promise.race([answer, interrupted]);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', check);
    timer.abort('the command is over');
  }
}

function startTimer<Ended>(
  { clock, timeoutMs, onTimeout }: Interruptions<Ended>,
  calledOff: AbortSignal,
  end: (ended: Ended) => void,
): void {
  if (!Number.isFinite(timeoutMs)) return;
  clock.sleep(timeoutMs, calledOff).then(
    () => end(onTimeout()),
    () => undefined, // called off: the command is over
  );
}

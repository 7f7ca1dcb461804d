import type { Limiter } from '@hermes/protocol';
import { cancelled } from './_pool-errors.ts';
import { createWaitingList, type WaitingList } from './_waiting-list.ts';
import type { Split } from './types.ts';

/** Lets calls in to one endpoint: so many at once, train and eval by their shares, none while shut. */
export interface CallGate {
  limiter(split: Split): Limiter;
  limit(): number;
  setLimit(limit: number): void;
  setOpen(isOpen: boolean): void;
  /** Rejects whoever waits, and whoever comes later. */
  close(error: Error): void;
  stats(): ReturnType<Limiter['stats']>;
}

type Line = WaitingList<null, void>;

/** `inner`: the endpoint's own limiter, which every call passes as well. */
export function createCallGate(
  inner: Limiter,
  firstLimit: number,
  evalShare: number,
  nowMs: () => number,
): CallGate {
  const lines: Readonly<Record<Split, Line>> = {
    train: createWaitingList(nowMs, cancelled),
    eval: createWaitingList(nowMs, cancelled),
  };
  const both = [lines.train, lines.eval];
  // calls that were let in, but whose inner limiter lets them start only after the gate was shut
  const atDoor: Line = createWaitingList(nowMs, cancelled);
  const nextLine = createTurns(lines, evalShare);
  let limit = firstLimit;
  let isOpen = true;
  let running = 0;

  const admit = (): void => {
    while (isOpen && running < limit) {
      const line = nextLine();
      if (!line) return;
      running += 1;
      line.serve();
    }
  };
  const run = async <T>(
    line: Line,
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    const entered = line.join(null, signal);
    admit();
    await entered;
    const whenOpen = async (): Promise<T> => {
      while (!isOpen) await atDoor.join(null, signal);
      return work();
    };
    try {
      return await inner.run(whenOpen, signal);
    } finally {
      running -= 1;
      admit();
    }
  };
  const stats = () => ({
    running,
    queued: lines.train.size() + lines.eval.size(),
    longestWaitMs: Math.max(...both.map((line) => line.longestWaitMs())),
  });
  return {
    limiter: (split) => ({ run: (work, signal) => run(lines[split], work, signal), stats }),
    limit: () => limit,
    setLimit: (next) => {
      limit = next;
      admit();
    },
    setOpen: (next) => {
      isOpen = next;
      while (isOpen && atDoor.size() > 0) atDoor.serve();
      admit();
    },
    close: (error) => {
      isOpen = false;
      for (const line of [...both, atDoor]) line.close(error);
    },
    stats,
  };
}

/** Whose turn it is: while both wait, eval gets its share of the turns, and neither ever starves. */
function createTurns(
  lines: Readonly<Record<Split, Line>>,
  evalShare: number,
): () => Line | undefined {
  let evalCredit = 0;
  return () => {
    const hasTrain = lines.train.size() > 0;
    if (lines.eval.size() === 0) return hasTrain ? lines.train : undefined;
    if (!hasTrain) return lines.eval;
    evalCredit += evalShare;
    if (evalCredit < 1) return lines.train;
    evalCredit -= 1;
    return lines.eval;
  };
}

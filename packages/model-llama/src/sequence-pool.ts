import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp';
import { throwIfAborted } from './throw-if-aborted.ts';

type Waiting = { readonly resume: () => void };

/**
 * The sequences of a context. Each keeps what it has evaluated, so a prompt goes to the free one
 * that has most of it already: the turns of a conversation find their own again. First come, first
 * served where all are in use.
 */
export class SequencePool {
  readonly #free: LlamaContextSequence[];
  readonly #count: number;
  readonly #waiting = new Set<Waiting>();

  constructor(context: LlamaContext) {
    this.#count = context.totalSequences;
    this.#free = Array.from({ length: this.#count }, () => context.getSequence());
  }

  /** Lends a sequence. After an error nothing is kept of what it held. */
  async use<T>(
    ids: readonly number[],
    signal: AbortSignal,
    work: (sequence: LlamaContextSequence) => Promise<T>,
  ): Promise<T> {
    const sequence = await this.#take(ids, signal);
    try {
      return await work(sequence);
    } catch (error) {
      await sequence.clearHistory();
      throw error;
    } finally {
      this.#giveBack(sequence);
    }
  }

  /** Waits until all are given back; who uses one must have been told to end. */
  async close(): Promise<void> {
    while (this.#free.length < this.#count) await this.#wait(new AbortController().signal);
    for (const sequence of this.#free) await sequence.dispose();
  }

  async #take(ids: readonly number[], signal: AbortSignal): Promise<LlamaContextSequence> {
    throwIfAborted(signal);
    while (this.#free.length === 0) await this.#wait(signal);
    const known = this.#free.map((sequence) => knownLength(sequence, ids));
    // Of equals the one that has been free for longest: what the others hold may still be asked for.
    const [sequence] = this.#free.splice(known.indexOf(Math.max(...known)), 1);
    if (sequence === undefined) throw new Error('unreachable: a free sequence was there');
    return sequence;
  }

  #giveBack(sequence: LlamaContextSequence): void {
    this.#free.push(sequence);
    for (const waiting of this.#waiting) waiting.resume();
  }

  async #wait(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const waiting = {
        resume: () => {
          this.#waiting.delete(waiting);
          signal.removeEventListener('abort', waiting.resume);
          resolve();
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', waiting.resume);
    });
    throwIfAborted(signal);
  }
}

/** How much of a prompt a sequence need not evaluate again. */
export function knownLength(sequence: LlamaContextSequence, ids: readonly number[]): number {
  return sequence.compareContextTokens(ids as Token[]).firstDifferentIndex;
}

import type { ChatDelta, ChatResult } from '@hermes/protocol';
import type { Refusal } from '../../http/refusal.ts';
import type { AgentCall, AnswerIdentity, StreamWriter } from '../dialect.ts';
import { type Piece, pieceOf } from './piece-of.ts';
import { stopReason, writeHead, writeUsage } from './write-answer.ts';
import { writeError } from './write-error.ts';

/** Their events: blocks one after the other, each with its pieces. */
export function streamWriter(_call: AgentCall, identity: AnswerIdentity): StreamWriter {
  return new MessageStream(identity);
}

class MessageStream implements StreamWriter {
  readonly #identity: AnswerIdentity;
  #hasBegun = false;
  #block: string | null = null;
  #blocks = 0;
  /** Their blocks do not overlap and ours may: from the first call on, what belongs elsewhere waits for the end. */
  readonly #waiting = new Map<string, Piece[]>();

  constructor(identity: AnswerIdentity) {
    this.#identity = identity;
  }

  push(delta: ChatDelta): string {
    const piece = pieceOf(delta);
    const isOpen = piece.block === this.#block;
    if (isOpen || !this.#block?.startsWith('call')) return this.#head() + this.#write(piece);
    this.#waiting.set(piece.block, [...(this.#waiting.get(piece.block) ?? []), piece]);
    return '';
  }

  finish({ finishReason, usage }: ChatResult): string {
    const delta = { stop_reason: stopReason(finishReason), stop_sequence: null };
    return [
      this.#head(),
      ...[...this.#waiting.values()].flat().map((piece) => this.#write(piece)),
      this.#close(),
      event('message_delta', { delta, usage: writeUsage(usage) }),
      event('message_stop', {}),
    ].join('');
  }

  fail(refusal: Refusal): string {
    return event('error', writeError(refusal));
  }

  #head(): string {
    if (this.#hasBegun) return '';
    this.#hasBegun = true;
    const head = { ...writeHead(this.#identity), content: [] };
    // The counts come with the end: nothing is known of them before.
    const message = { ...head, stop_reason: null, stop_sequence: null, usage: {} };
    return event('message_start', { message });
  }

  #write({ block, opens, adds }: Piece): string {
    const opened = block === this.#block ? '' : this.#open(block, opens);
    if (adds === null) return opened;
    return opened + event('content_block_delta', { index: this.#blocks - 1, delta: adds });
  }

  #open(block: string, opens: object): string {
    const closed = this.#close();
    this.#block = block;
    this.#blocks += 1;
    return closed + event('content_block_start', { index: this.#blocks - 1, content_block: opens });
  }

  #close(): string {
    if (this.#block === null) return '';
    this.#block = null;
    return event('content_block_stop', { index: this.#blocks - 1 });
  }
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { MessageCallReader } from './message-call.ts';
import { readHeader } from './message-header.ts';
import { readMessageText } from './message-text.ts';
import {
  channel,
  constrain,
  message,
  messageOpens,
  recipientStart,
  tokens,
} from './message-tokens.ts';

/** A message from its first token on. */
export const messageBlock: OpenBlock = (machine, start, marker) =>
  new MessageReader(machine, start, marker === channel ? 'behindChannel' : 'behindStart');

/**
 * What stands before the first token: the rest of a header that names a recipient, or the
 * reasoning that the prompt opened. Any other text is content.
 */
export const messageStart: OpenBlock = (machine, start) =>
  machine.options.startInReasoning && isBlank(machine)
    ? readMessageText(machine, 'reasoning')
    : new MessageReader(machine, start, 'beforeRecipient');

/** Where in a header its reader begins. */
type Beginning = 'beforeRecipient' | 'behindStart' | 'behindChannel';

/** Reads the header; the body is left to a reader of its own. */
class MessageReader implements BlockReader {
  /** Reads the part that comes next. */
  #next: () => Step;
  /** Its channel was named. */
  #hasChannel: boolean;
  readonly #machine: Machine;
  readonly #start: number;

  constructor(machine: Machine, start: number, begins: Beginning) {
    this.#machine = machine;
    this.#start = start;
    this.#hasChannel = begins === 'behindChannel';
    this.#next = begins === 'beforeRecipient' ? this.#readRecipient : this.#readHeader;
  }

  step(): Step {
    return this.#next();
  }

  cut(): void {
    const machine = this.#machine;
    machine.pos = machine.text.length;
    this.#dropHeader('truncated_call');
  }

  #readRecipient(): Step {
    const machine = this.#machine;
    const found = machine.match(recipientStart);
    if (found === undefined) return 'more';
    if (found === null) machine.textBlock(this.#start, '');
    else this.#next = this.#readHeader;
    return 'again';
  }

  /** Everything up to the token that begins the body. */
  #readHeader(): Step {
    const machine = this.#machine;
    const token = machine.seek(tokens);
    if (!token) return 'more';
    if (token === message) {
      machine.pos += token.length;
      this.#beginBody(machine.since(this.#start));
    } else if (token === constrain || (token === channel && !this.#hasChannel)) {
      machine.pos += token.length;
      this.#hasChannel ||= token === channel;
    } else this.#dropHeader('malformed_call');
    return 'again';
  }

  #beginBody(header: string): void {
    const machine = this.#machine;
    const { kind, name = '', hasUnknown } = readHeader(header);
    if (hasUnknown) machine.note('section_filler', this.#start, { raw: header });
    machine.reader =
      kind === 'call'
        ? new MessageCallReader(machine, this.#start, name)
        : readMessageText(machine, kind);
  }

  /** A header without a body is markup all the same. */
  #dropHeader(code: 'malformed_call' | 'truncated_call'): void {
    const machine = this.#machine;
    const header = machine.since(this.#start);
    const { name } = readHeader(header);
    if (!messageOpens.some((token) => header.includes(token))) {
      machine.textBlock(this.#start, header);
      return;
    }
    if (name === undefined) {
      machine.report('stray_marker', this.#start, { raw: header });
    } else {
      machine.beginBlock();
      machine.dropCall(code, this.#start, { name });
    }
    machine.endBlock();
  }
}

function isBlank({ content, reasoning }: Machine): boolean {
  return !content.hasText && !reasoning.hasText;
}

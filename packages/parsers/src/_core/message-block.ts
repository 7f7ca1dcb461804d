import { ArgumentsReader } from './arguments.ts';
import type { BlockReader, OpenBlock, Step } from './format.ts';
import type { Machine } from './machine.ts';
import { MarkerSet } from './markers.ts';
import { readHeader } from './message-header.ts';

const start = '<|start|>';
const channel = '<|channel|>';
const constrain = '<|constrain|>';
const message = '<|message|>';
const ends = ['<|end|>', '<|call|>', '<|return|>'];

/** Tokens that begin a message, and those that are stray outside of one. */
export const messageOpens: readonly string[] = [start, channel];
export const messageStrays: readonly string[] = [message, constrain, ...ends];

const tokens = new MarkerSet([...messageOpens, ...messageStrays]);
const endTokens = new MarkerSet(ends);
const resyncTokens = new MarkerSet([...messageOpens, ...ends]);
const recipientStart = new MarkerSet(['to=']);

/** A message from its first token on. */
export const messageBlock: OpenBlock = (machine, from, marker) =>
  new MessageReader(machine, from, marker === channel ? 'channel' : 'header');

/**
 * What stands before the first token: the rest of a header that names a recipient, or the
 * reasoning that the prompt opened. Any other text is content.
 */
export const messageStart: OpenBlock = (machine, from) => {
  if (machine.options.startInReasoning && isBlank(machine))
    return new MessageReader(machine, from, 'reasoning');
  return new MessageReader(machine, from, 'recipient');
};

type Phase =
  | 'recipient'
  | 'header'
  | 'channel'
  | 'content'
  | 'reasoning'
  | 'body'
  | 'arguments'
  | 'after'
  | 'resync';

class MessageReader implements BlockReader {
  #phase: Phase;
  #bodyEnd = 0;
  #hasSurplus = false;
  #call: ArgumentsReader;
  readonly #machine: Machine;
  readonly #start: number;

  constructor(machine: Machine, from: number, phase: Phase) {
    this.#machine = machine;
    this.#start = from;
    this.#phase = phase;
    this.#call = new ArgumentsReader(machine, from);
    if (phase === 'reasoning') this.#beginText('reasoning');
  }

  step(): Step {
    switch (this.#phase) {
      case 'recipient':
        return this.#readRecipient();
      case 'header':
      case 'channel':
        return this.#readHeader();
      case 'content':
      case 'reasoning':
        return this.#readText();
      case 'body':
        return this.#readBody();
      case 'arguments':
        return this.#readArguments();
      case 'after':
        return this.#readAfter();
      case 'resync':
        return this.#readResync();
    }
  }

  cut(): void {
    const machine = this.#machine;
    const { name } = this.#call;
    const isInString = this.#phase === 'arguments' && this.#call.isInString;
    if (this.#phase === 'content' || this.#phase === 'reasoning') this.#endMessage();
    else if (this.#phase === 'header' || this.#phase === 'channel') {
      machine.pos = machine.text.length;
      this.#dropHeader('truncated_call');
    } else if (isInString && machine.holds(resyncTokens, this.#bodyEnd)) this.#resync();
    else machine.truncate(this.#start, { name });
  }

  #readRecipient(): Step {
    const machine = this.#machine;
    const found = machine.match(recipientStart);
    if (found === undefined) return 'more';
    if (found === null) machine.textBlock(this.#start, 0);
    else this.#phase = 'header';
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
    } else if (token === constrain || (token === channel && this.#phase === 'header')) {
      machine.pos += token.length;
      if (token === channel) this.#phase = 'channel';
    } else this.#dropHeader('malformed_call');
    return 'again';
  }

  /** A header without a body is markup all the same. */
  #dropHeader(code: 'malformed_call' | 'truncated_call'): void {
    const machine = this.#machine;
    const header = machine.since(this.#start);
    const { name } = readHeader(header);
    if (!messageOpens.some((token) => header.includes(token))) {
      machine.textBlock(this.#start, header.length);
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

  #beginBody(header: string): void {
    const machine = this.#machine;
    const { kind, name = '', hasUnknown } = readHeader(header);
    if (hasUnknown) machine.note('section_filler', this.#start, { raw: header });
    this.#bodyEnd = machine.offset;
    if (kind !== 'call') {
      this.#beginText(kind);
      return;
    }
    machine.beginBlock();
    this.#call = new ArgumentsReader(machine, this.#start, name);
    this.#phase = 'body';
  }

  #beginText(phase: 'content' | 'reasoning'): void {
    endMessage(this.#machine);
    this.#phase = this.#machine.options.reasoning === false ? 'content' : phase;
  }

  #readText(): Step {
    const machine = this.#machine;
    const from = machine.pos;
    const token = machine.seek(tokens);
    const piece = machine.text.slice(from, machine.pos);
    if (this.#phase === 'content') machine.passPlain(piece);
    else machine.reasoning.add(piece);
    if (!token) return 'more';
    if (ends.includes(token)) machine.pos += token.length;
    if (ends.includes(token) || messageOpens.includes(token)) this.#endMessage();
    else this.#cutToken(token);
    return 'again';
  }

  /** A token of a header within text. */
  #cutToken(token: string): void {
    const machine = this.#machine;
    const from = machine.offset;
    machine.pos += token.length;
    machine.report('stray_marker', from, { raw: token });
  }

  #endMessage(): void {
    endMessage(this.#machine);
    this.#machine.endBlock();
  }

  #readBody(): Step {
    const machine = this.#machine;
    const hasText = machine.skipSpace();
    const token = machine.match(resyncTokens);
    if (token === undefined) return 'more';
    if (hasText && token === null) {
      this.#phase = 'arguments';
    } else if (token === null) this.cut();
    else if (ends.includes(token)) {
      this.#call.deliverEmpty();
      this.#endCall();
    } else return this.#resync();
    return 'again';
  }

  #readArguments(): Step {
    const status = this.#call.scan();
    if (status === 'more') return 'more';
    if (status === 'error') return this.#readEarlyEnd();
    this.#call.deliver();
    this.#endCall();
    return 'again';
  }

  /** Only brackets may be missing before an end token. */
  #readEarlyEnd(): Step {
    const token = this.#machine.match(endTokens);
    if (token === undefined) return 'more';
    if (token === null || !this.#call.closeMissing()) return this.#resync();
    this.#call.deliver();
    this.#endCall();
    return 'again';
  }

  #endCall(): void {
    this.#bodyEnd = this.#machine.offset;
    this.#phase = 'after';
  }

  #readAfter(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const token = machine.match(endTokens);
    if (token === undefined) return 'more';
    const isSurplus = /[}\]]/.test(machine.character);
    if (token === null && isSurplus && machine.options.repair !== false) {
      machine.pos += 1;
      this.#hasSurplus = true;
      return 'again';
    }
    if (token === null) {
      machine.rewind(this.#bodyEnd);
      machine.report('unclosed_call', this.#start, {}, this.#bodyEnd);
    } else {
      machine.pos += token.length;
      if (this.#hasSurplus) this.#call.reportRepair();
    }
    this.#endMessage();
    return 'again';
  }

  #resync(): Step {
    this.#machine.rewind(this.#bodyEnd);
    this.#phase = 'resync';
    return 'again';
  }

  /** A broken body ends with its end token or before the next message. */
  #readResync(): Step {
    const machine = this.#machine;
    const token = machine.seek(resyncTokens);
    if (token === undefined) return 'more';
    if (token !== null && ends.includes(token)) machine.pos += token.length;
    const { name } = this.#call;
    machine.dropCall('invalid_arguments', this.#start, { name });
    this.#endMessage();
    return 'again';
  }
}

/** A message ends: one line feed parts it from the next one that is not blank. */
function endMessage(machine: Machine): void {
  const { content } = machine;
  const isBlank = !content.isStarted || content.committed !== '';
  content.commit(isBlank || content.isAfterBlock ? '' : content.space);
  content.committed = content.isStarted ? '\n' : '';
  content.isAfterBlock = false;
  machine.reasoning.block();
}

function isBlank({ content, reasoning }: Machine): boolean {
  return content.text === '' && reasoning.text === '';
}

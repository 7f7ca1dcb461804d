import type { BlockReader, OpenBlock, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { ArgumentsReader } from './arguments.ts';
import { readHeader } from './message-header.ts';
import {
  channel,
  constrain,
  ends,
  endTokens,
  message,
  messageOpens,
  recipientStart,
  resyncTokens,
  tokens,
} from './message-tokens.ts';

/** A message from its first token on. */
export const messageBlock: OpenBlock = (machine, from, marker) =>
  new MessageReader(machine, from, marker === channel ? 'behindChannel' : 'behindStart');

/**
 * What stands before the first token: the rest of a header that names a recipient, or the
 * reasoning that the prompt opened. Any other text is content.
 */
export const messageStart: OpenBlock = (machine, from) => {
  if (machine.options.startInReasoning && isBlank(machine))
    return new MessageReader(machine, from, 'inReasoning');
  return new MessageReader(machine, from, 'beforeRecipient');
};

/** Where in a message its reader begins. */
type Beginning = 'beforeRecipient' | 'behindStart' | 'behindChannel' | 'inReasoning';

class MessageReader implements BlockReader {
  /** Reads the part that comes next. */
  #next: () => Step;
  /** Its channel was named. */
  #hasChannel = false;
  /** Its text is reasoning. */
  #isReasoning = false;
  #bodyEnd = 0;
  #hasSurplus = false;
  #call: ArgumentsReader;
  readonly #machine: Machine;
  readonly #start: number;

  constructor(machine: Machine, from: number, begins: Beginning) {
    this.#machine = machine;
    this.#start = from;
    this.#hasChannel = begins === 'behindChannel';
    this.#next = begins === 'beforeRecipient' ? this.#readRecipient : this.#readHeader;
    this.#call = new ArgumentsReader(machine, from);
    if (begins === 'inReasoning') this.#beginText('reasoning');
  }

  step(): Step {
    return this.#next();
  }

  cut(): void {
    const machine = this.#machine;
    const { name } = this.#call;
    const isInString = this.#next === this.#readArguments && this.#call.isInString;
    if (this.#next === this.#readText) this.#endMessage();
    else if (this.#next === this.#readHeader) {
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
    this.#next = this.#readBody;
  }

  #beginText(kind: 'content' | 'reasoning'): void {
    endMessage(this.#machine);
    this.#isReasoning = kind === 'reasoning' && this.#machine.options.reasoning;
    this.#next = this.#readText;
  }

  #readText(): Step {
    const machine = this.#machine;
    const from = machine.pos;
    const token = machine.seek(tokens);
    const piece = machine.text.slice(from, machine.pos);
    if (this.#isReasoning) machine.reasoning.add(piece);
    else machine.passPlain(piece);
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
      this.#next = this.#readArguments;
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
    this.#next = this.#readAfter;
  }

  #readAfter(): Step {
    const machine = this.#machine;
    if (!machine.skipSpace() && !machine.isLast) return 'more';
    const token = machine.match(endTokens);
    if (token === undefined) return 'more';
    const isSurplus = /[}\]]/.test(machine.character);
    if (token === null && isSurplus && machine.options.repair) {
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
    this.#next = this.#readResync;
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

import type { BlockReader, Step } from '../format.ts';
import type { Machine } from '../machine.ts';
import { ends, messageOpens, tokens } from './message-tokens.ts';

/** Begins the body of a message that is no call, and reads it up to its end. */
export function readMessageText(machine: Machine, kind: 'content' | 'reasoning'): BlockReader {
  const isReasoning = kind === 'reasoning' && machine.options.reasoning;

  const step = (): Step => {
    const from = machine.pos;
    const token = machine.seek(tokens);
    const piece = machine.text.slice(from, machine.pos);
    if (isReasoning) machine.reasoning.add(piece);
    else machine.passPlain(piece);
    if (!token) return 'more';
    if (ends.includes(token)) machine.pos += token.length;
    if (ends.includes(token) || messageOpens.includes(token)) endMessage(machine);
    else cutToken(machine, token);
    return 'again';
  };

  partMessages(machine);
  return { step, cut: () => endMessage(machine) };
}

/** A token of a header within text. */
function cutToken(machine: Machine, token: string): void {
  const start = machine.offset;
  machine.pos += token.length;
  machine.report('stray_marker', start, { raw: token });
}

/** The message, and with it the block, is over. */
export function endMessage(machine: Machine): void {
  partMessages(machine);
  machine.endBlock();
}

/** One line feed parts a message from the next one that is not blank. */
function partMessages({ content, reasoning }: Machine): void {
  const isBlank = !content.isStarted || content.committed !== '';
  content.commit(isBlank || content.isAfterBlock ? '' : content.space);
  content.committed = content.isStarted ? '\n' : '';
  content.isAfterBlock = false;
  reasoning.block();
}

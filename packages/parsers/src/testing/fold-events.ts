import type { ParseResult, ParserEvent } from '../types.ts';

interface CallInProgress {
  readonly id: string;
  readonly name: string;
  text: string;
  isDone: boolean;
}

/**
 * Content, reasoning and calls as a consumer of the events builds them up. Throws on events that
 * contradict each other: arguments of no open call, a call that neither ends nor is taken back.
 */
export function foldEvents(events: readonly ParserEvent[]): Omit<ParseResult, 'diagnostics'> {
  let content = '';
  let reasoning = '';
  const calls = new Map<number, CallInProgress>();
  for (const event of events) {
    if (event.type === 'content') content += event.text;
    else if (event.type === 'reasoning') reasoning += event.text;
    else if (event.type !== 'diagnostic') foldCallEvent(event, calls);
  }
  return {
    content: content || null,
    reasoning: reasoning || null,
    toolCalls: [...calls.values()].map(finishedCall),
  };
}

type CallEvent = Exclude<ParserEvent, { type: 'content' | 'reasoning' | 'diagnostic' }>;

function foldCallEvent(event: CallEvent, calls: Map<number, CallInProgress>): void {
  if (event.type === 'call_start') {
    if (calls.has(event.index)) throw new Error(`index ${event.index} came twice`);
    calls.set(event.index, { id: event.id, name: event.name, text: '', isDone: false });
    return;
  }
  const call = calls.get(event.index);
  if (call === undefined || call.isDone) throw new Error(`${event.type} of no open call`);
  if (event.type === 'call_abort') calls.delete(event.index);
  else if (event.type === 'call_end') call.isDone = true;
  else call.text += event.text;
}

function finishedCall({
  id,
  name,
  text,
  isDone,
}: CallInProgress): ParseResult['toolCalls'][number] {
  if (!isDone) throw new Error(`the call of ${name} neither ended nor was taken back`);
  return { id, type: 'function', function: { name, arguments: text } };
}

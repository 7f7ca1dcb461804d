import type { AssistantMessage, Message, Tokenizer } from '@hermes/protocol';
import { ANSWER, QUESTION } from './proof-messages.ts';
import { type PromptSettings, renderRequest } from './render-request.ts';

/** What stands between an answer and the next one: the end of the turn, new messages, the opening of the next turn. */
export type Bridge = Readonly<{
  text: string;
  ids: readonly number[];
  /** Its first id ends the turn: it is left out where the model said it. null = the template ends no turns. */
  turnEndId: number | null;
}>;

/**
 * Renders new messages behind a short conversation of our own, once without and once with them, and
 * takes what is between: earlier turns are not rendered again, whatever their length. null = the
 * template writes the short conversation differently when the messages follow.
 */
export function renderBridge(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  answer: AssistantMessage,
  messages: readonly Message[],
): Bridge | null {
  const stand = standIn(answer);
  const base = [QUESTION, stand];
  const before = tokenizer.render(renderRequest(settings, base, false)).text;
  const whole = tokenizer.render(renderRequest(settings, [...base, ...messages], true)).text;
  const end = turnEnd(tokenizer, before, lastWords(stand));
  if (!whole.startsWith(before.slice(0, end.textEnd))) return null;
  return bridgeOf(tokenizer, whole.slice(end.textStart), end.id);
}

/** With the same calls, since templates look them up for their results, but without what the model said. */
function standIn({ tool_calls: calls = [] }: AssistantMessage): AssistantMessage {
  if (calls.length === 0) return ANSWER;
  const empty = calls.map(({ id, function: { name } }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: '{}' },
  }));
  return { role: 'assistant', content: '', tool_calls: empty };
}

type TurnEnd = Readonly<{ id: number | null; textStart: number; textEnd: number }>;

/** What stands in a rendered conversation near the end of the answer. */
function lastWords({ tool_calls: calls = [] }: AssistantMessage): string {
  return calls.at(-1)?.function.name ?? String(ANSWER.content);
}

/** The last token behind the answer that ends a turn; where there is none the turn ends with the text. */
function turnEnd(tokenizer: Tokenizer, text: string, answer: string): TurnEnd {
  let last: TurnEnd = { id: null, textStart: text.length, textEnd: text.length };
  let found = text.lastIndexOf(answer);
  for (const id of tokenizer.turnEndIds) {
    const token = tokenizer.decode([id]);
    const at = token === '' ? -1 : text.lastIndexOf(token);
    if (at <= found) continue;
    found = at;
    last = { id, textStart: at, textEnd: at + token.length };
  }
  return last;
}

/** Encoded from a special token on: what is behind it is no start of a text, here as little as in the whole. */
function bridgeOf(tokenizer: Tokenizer, text: string, turnEndId: number | null): Bridge | null {
  const ids = tokenizer.encode(text);
  const isExact = turnEndId === null ? startsSpecial(tokenizer, ids) : ids[0] === turnEndId;
  return isExact ? { text, ids, turnEndId } : null;
}

function startsSpecial(tokenizer: Tokenizer, ids: readonly number[]): boolean {
  return tokenizer.specialTokens.has(tokenizer.decode(ids.slice(0, 1)));
}

/**
 * The ids to append behind a sampled turn that ends with `lastId`. What the model said itself is not
 * said again. null = it ended the turn by a token after which the template would not go on.
 */
export function idsBehind(
  bridge: Bridge,
  lastId: number | undefined,
  turnEndIds: readonly number[],
): readonly number[] | null {
  const isEnded = lastId !== undefined && turnEndIds.includes(lastId);
  if (!isEnded) return bridge.ids;
  if (bridge.turnEndId === null && lastId !== bridge.ids[0]) return null;
  return bridge.ids.slice(1);
}

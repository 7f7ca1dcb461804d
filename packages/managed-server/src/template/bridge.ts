import type { AssistantMessage, Message, Tokenizer } from '@hermes/protocol';
import { ANSWER, QUESTION, THOUGHT } from './proof-messages.ts';
import { type PromptSettings, renderRequest } from './render-request.ts';

/** What stands between an answer and the next one: the end of the turn, new messages, the opening of the next turn. */
export type Bridge = Readonly<{
  text: string;
  ids: readonly number[];
  /** Its first id ends the turn: it is left out where the model said it. null = the template ends no turns. */
  turnEndId: number | null;
}>;

/** A short conversation of our own that ends with an answer, rendered: what bridges are rendered behind. */
export type BridgeBase = Readonly<{
  messages: readonly Message[];
  /** Up to the end of the answer's turn. */
  text: string;
  turnEnd: TurnEnd;
}>;

/** The token that ends a turn, and where it stands; without a token the turn ends with the text. */
type TurnEnd = Readonly<{ id: number | null; textStart: number; textEnd: number }>;

/**
 * The base for bridges behind such an answer. Behind all answers without calls it is the same. With a
 * thought for templates that write an empty one into a last answer that has none.
 */
export function bridgeBase(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  answer: AssistantMessage,
  withThought: boolean,
): BridgeBase {
  const stand = { ...standIn(answer), ...(withThought && { reasoning_content: THOUGHT }) };
  const messages = [QUESTION, stand];
  const { text } = tokenizer.render(renderRequest(settings, messages, false));
  const end = turnEnd(tokenizer, text, lastWords(stand));
  return { messages, text: text.slice(0, end.textEnd), turnEnd: end };
}

/**
 * Renders new messages behind the base and takes what is new: earlier turns are not rendered again,
 * whatever their length. null = the template writes the base differently when the messages follow.
 */
export function renderBridge(
  tokenizer: Tokenizer,
  settings: PromptSettings,
  base: BridgeBase,
  messages: readonly Message[],
): Bridge | null {
  const whole = tokenizer.render(
    renderRequest(settings, [...base.messages, ...messages], true),
  ).text;
  if (!whole.startsWith(base.text)) return null;
  return bridgeOf(tokenizer, whole.slice(base.turnEnd.textStart), base.turnEnd.id);
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

/** What stands in a rendered conversation near the end of the answer. */
function lastWords({ tool_calls: calls = [] }: AssistantMessage): string {
  return calls.at(-1)?.function.name ?? String(ANSWER.content);
}

/**
 * The first token behind the answer's words that ends a turn, or the last one of all where the
 * template leaves the words out; where there is none the turn ends with the text.
 */
function turnEnd(tokenizer: Tokenizer, text: string, answer: string): TurnEnd {
  const question = text.lastIndexOf(String(QUESTION.content));
  const said = text.lastIndexOf(answer);
  const ends = tokenizer.turnEndIds.flatMap((id): TurnEnd[] => {
    const token = tokenizer.decode([id]);
    const at = said > question ? text.indexOf(token, said) : text.lastIndexOf(token);
    return token === '' || at <= question
      ? []
      : [{ id, textStart: at, textEnd: at + token.length }];
  });
  ends.sort((one, other) => one.textStart - other.textStart);
  const end = said > question ? ends.at(0) : ends.at(-1);
  return end ?? { id: null, textStart: text.length, textEnd: text.length };
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

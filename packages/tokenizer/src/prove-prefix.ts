import type { ChatRequest, Message, RenderRequest, Tokenizer, ToolSchema } from '@hermes/protocol';
import { type PrefixCase, prefixCases } from './prefix-cases.ts';
import { TokenizerError } from './tokenizer-error.ts';

/** What breaks a prefix in one kind of conversation. */
export type PrefixBreak = Readonly<{
  /** The kind of conversation, such as `tool result` or `user behind a thought`. */
  conversation: string;
  because: string;
}>;

/** What is known of a tokenizer, a template and tools. */
export type PrefixProof = Readonly<{
  /** Every conversation can go on where its ids ended. */
  extends: boolean;
  /** It can when a user message follows. */
  afterUserMessage: boolean;
  /** It can when a tool result follows; true without tools. */
  afterToolResult: boolean;
  /** The first reason why not every conversation can. */
  because: string | null;
  /** All that breaks a prefix, also what does not count against `extends`: lost thoughts, answers that are written unlike their prompt. */
  breaks: readonly PrefixBreak[];
  /** The template ignores tools: a model would never learn of them. */
  dropsTools: boolean;
}>;

/** Proves that a template extends its prefix, by rendering conversations and their beginnings. Proofs can be kept: they depend on the arguments alone. */
export function provePrefix(
  tokenizer: Tokenizer,
  request: Pick<ChatRequest, 'tools' | 'templateArguments'>,
): PrefixProof {
  const findings = prefixCases((request.tools ?? []).length > 0).flatMap((one) => [
    finding(one.name, one.shows, () => turnBreak(tokenizer, request, one)),
    finding(`answer, before: ${one.name}`, null, () => promptBreak(tokenizer, request, one)),
  ]);
  const reasons = KINDS.map((kind) => [kind, reasonAgainst(kind, findings)] as const);
  const against = new Map(reasons);
  return {
    extends: reasons.every(([, reason]) => reason === null),
    afterUserMessage: against.get('afterUserMessage') === null,
    afterToolResult: against.get('afterToolResult') === null,
    because: reasons.map(([, reason]) => reason).find((reason) => reason !== null) ?? null,
    breaks: findings.flatMap(({ conversation, because }) =>
      because === null ? [] : [{ conversation, because }],
    ),
    dropsTools: dropsTools(tokenizer, request),
  };
}

const KINDS = ['afterToolResult', 'afterUserMessage', 'afterCalls'] as const;

type Finding = Readonly<{
  conversation: string;
  shows: PrefixCase['shows'];
  because: string | null;
}>;

/** What comes behind the end of a turn does not depend on the turn: one conversation of a kind is enough. */
function reasonAgainst(kind: PrefixCase['shows'], findings: readonly Finding[]): string | null {
  const ofKind = findings.filter(({ shows }) => shows === kind);
  if (ofKind.some(({ because }) => because === null)) return null;
  return ofKind[0]?.because ?? null;
}

/** A conversation that the template refuses cannot go on, either. */
function finding(
  conversation: string,
  shows: PrefixCase['shows'],
  look: () => string | null,
): Finding {
  try {
    return { conversation, shows, because: look() };
  } catch (error) {
    if (error instanceof TokenizerError && error.code === 'TEMPLATE')
      return { conversation, shows, because: error.message };
    throw error;
  }
}

type Given = Pick<ChatRequest, 'tools' | 'templateArguments'>;

/**
 * The prompt that a model answered is how the conversation with the answer begins. Where it is not,
 * conversations can still go on in ids, but no text that is rendered anew agrees with them.
 */
function promptBreak(tokenizer: Tokenizer, given: Given, one: PrefixCase): string | null {
  const prompt = render(tokenizer, given, one.before, true);
  const answered = render(tokenizer, given, [...one.before, one.answer], false);
  return difference('the generation prompt is not how the answer is written', prompt, answered);
}

/** The conversation up to the end of the answer's turn must be how the longer one begins. */
function turnBreak(tokenizer: Tokenizer, given: Given, one: PrefixCase): string | null {
  const answered = render(tokenizer, given, [...one.before, one.answer], false);
  const longer = render(tokenizer, given, [...one.before, one.answer, ...one.after], true);
  const end = lastTurnEnd(answered.ids, tokenizer.turnEndIds);
  if (end === -1) return 'the template writes no token at the end of a turn';
  const kept = { ids: answered.ids.slice(0, end + 1), text: answered.text };
  return difference(one.whenChanged, kept, longer);
}

type Rendered = Readonly<{ ids: readonly number[]; text: string }>;

function render(
  tokenizer: Tokenizer,
  given: Given,
  messages: readonly Message[],
  generationPrompt: boolean,
): Rendered {
  const request: RenderRequest = {
    messages,
    generationPrompt,
    ...(given.tools !== undefined && { tools: given.tools }),
    ...(given.templateArguments !== undefined && { arguments: given.templateArguments }),
  };
  return tokenizer.render(request);
}

function lastTurnEnd(ids: readonly number[], turnEndIds: readonly number[]): number {
  return ids.findLastIndex((id) => turnEndIds.includes(id));
}

function difference(because: string, start: Rendered, whole: Rendered): string | null {
  const at = start.ids.findIndex((id, index) => id !== whole.ids[index]);
  if (at === -1) return null;
  const place = commonLength(start.text, whole.text);
  const [one, other] = [start.text, whole.text].map((text) => excerpt(text, place));
  return `${because}: ${one} became ${other}`;
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function excerpt(text: string, place: number): string {
  return JSON.stringify(text.slice(Math.max(0, place - 20), place + 20));
}

/** Tools are dropped when their names are nowhere in the prompt. */
function dropsTools(tokenizer: Tokenizer, given: Given): boolean {
  const tools: readonly ToolSchema[] = given.tools ?? [];
  if (tools.length === 0) return false;
  const [simplest] = prefixCases(false);
  const { text } = render(tokenizer, given, simplest?.before ?? [], true);
  return !tools.every((tool) => text.includes(tool.function.name));
}

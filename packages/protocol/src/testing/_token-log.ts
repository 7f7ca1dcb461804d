import type { AssistantMessage, Message } from '../messages.ts';
import type { CallTokens, ChatRequest } from '../model.ts';
import type { SegmentReason, TokenSegment } from '../tokens.ts';

/** The segments of one session as they grow. */
export interface TokenLog {
  add(
    request: ChatRequest,
    answer: AssistantMessage,
    invocationId: string,
    weightVersion: string,
  ): CallTokens;
  segments(): readonly TokenSegment[];
}

/** A segment in the making. heard: the messages that its ids stand for, the last answer included. */
type Growing = {
  readonly invocationId: string;
  readonly openedBecause: SegmentReason;
  readonly ids: number[];
  readonly mask: number[];
  readonly logprobs: number[];
  readonly weightVersions: string[];
  tools: string;
  heard: readonly Message[];
};

/** Keeps the tokens of all calls of a session. */
export function openTokenLog(source: TokenSegment['source']): TokenLog {
  const all: Growing[] = [];
  return {
    add: (request, answer, invocationId, weightVersion) => {
      const segment = segmentFor(all, request, invocationId);
      addContext(segment, textOf(request.messages.slice(segment.heard.length)));
      const promptEnd = segment.ids.length;
      addSampled(segment, textOf([answer]));
      segment.heard = [...request.messages, answer];
      if (segment.weightVersions.at(-1) !== weightVersion)
        segment.weightVersions.push(weightVersion);
      return { segment: all.indexOf(segment), promptEnd, end: segment.ids.length, weightVersion };
    },
    segments: () => all.map((segment, index) => snapshot(segment, index, source)),
  };
}

function segmentFor(all: Growing[], request: ChatRequest, invocationId: string): Growing {
  const last = all.findLast((segment) => segment.invocationId === invocationId);
  const tools = JSON.stringify(request.tools ?? []);
  const reason = reasonForNew(last, request.messages, tools);
  if (last !== undefined && reason === null) return last;
  const opened: Growing = {
    invocationId,
    openedBecause: reason ?? 'start',
    ids: [],
    mask: [],
    logprobs: [],
    weightVersions: [],
    tools,
    heard: [],
  };
  all.push(opened);
  if (tools !== '[]') addContext(opened, `tools: ${tools}\n`);
  return opened;
}

/** null: the request goes on where the segment ends. */
function reasonForNew(
  last: Growing | undefined,
  messages: readonly Message[],
  tools: string,
): SegmentReason | null {
  if (last === undefined) return 'start';
  if (last.tools !== tools) return 'tools_changed';
  const before = last.heard.slice(0, -1); // a loop may mend what the last answer said
  const goesOn = JSON.stringify(messages.slice(0, before.length)) === JSON.stringify(before);
  return goesOn && messages[before.length]?.role === 'assistant' ? null : 'history_rewritten';
}

function addContext(segment: Growing, text: string): void {
  for (const id of idsOf(text)) {
    segment.ids.push(id);
    segment.mask.push(-100);
    segment.logprobs.push(1);
  }
}

/** The log-prob follows from id and place: the same script gives the same numbers. */
function addSampled(segment: Growing, text: string): void {
  for (const id of idsOf(text)) {
    segment.logprobs.push(-(1 + ((id + segment.ids.length) % 16)) / 16);
    segment.mask.push(id);
    segment.ids.push(id);
  }
}

function textOf(messages: readonly Message[]): string {
  return messages.map(lineOf).join('');
}

function lineOf(message: Message): string {
  const content = typeof message.content === 'string' ? message.content : '';
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return `${message.role}: ${content}${calls.map(({ function: call }) => JSON.stringify(call)).join('')}\n`;
}

function idsOf(text: string): number[] {
  return [...text].map((character) => character.codePointAt(0) ?? 0);
}

function snapshot(segment: Growing, index: number, source: TokenSegment['source']): TokenSegment {
  const { invocationId, openedBecause } = segment;
  return {
    index,
    invocationId,
    openedBecause,
    source,
    ids: [...segment.ids],
    mask: [...segment.mask],
    logprobs: [...segment.logprobs],
    weightVersions: [...segment.weightVersions],
  };
}

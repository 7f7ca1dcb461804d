import {
  type ChatEvent,
  type GenerateRequest,
  ModelError,
  type TokenEvent,
  type TokenOutput,
} from '@hermes/protocol';
import { mayCall } from '../answer/answer-parser.ts';
import { checkEcho, checkOutput } from '../answer/check-output.ts';
import {
  type AnswerReader,
  type ReadAnswer,
  type Reading,
  readAnswer,
} from '../answer/read-answer.ts';
import type { SessionCall, SharedParts } from './answer-request.ts';
import { type PromptPlan, promptIds, promptLength } from './plan-prompt.ts';

/** One answer of an engine, checked and read. */
export type EngineAnswer = Readonly<{
  output: TokenOutput;
  read: ReadAnswer;
  cachedTokens: number | null;
  /** The prompt had opened a thought. */
  startsInThought: boolean;
}>;

/** Sends the prompt of a plan and reads what comes. Only the first choice is told as it comes. */
export async function* askEngine(
  shared: SharedParts,
  plan: PromptPlan,
  call: SessionCall,
): AsyncGenerator<ChatEvent, readonly EngineAnswer[]> {
  const reading = readingOf(shared, plan, call);
  const request = generateRequest(shared, plan, call);
  let first = readAnswer(reading);
  for await (const event of shared.engine.generate(request, call.context)) {
    if (event.type === 'result') {
      const answers = readResult(shared, reading, request, event, first);
      yield* answers[0]?.read.deltas ?? [];
      return answers;
    }
    if (event.type === 'attempt_start') first = readAnswer(reading);
    if (event.type !== 'tokens_delta') yield event;
    else if (event.choice === 0) yield* first.push(event.ids);
  }
  throw new ModelError('BAD_RESPONSE', `The engine ${shared.engine.id} ended without a result.`);
}

function readingOf(shared: SharedParts, plan: PromptPlan, { request }: SessionCall): Reading {
  const keepCalls = mayCall(request);
  const { openTag, parsers, tokenizer } = shared;
  return {
    tokenizer,
    parser: keepCalls ? parsers.withCalls : parsers.withoutCalls,
    keepCalls,
    tools: request.tools ?? [],
    startInReasoning: openTag !== null && plan.textEnd.trimEnd().endsWith(openTag),
    hasStopTexts: (request.sampling.stop ?? []).length > 0,
  };
}

/** The ids are put together when they are asked for: no cost of our own grows with the history. */
function generateRequest(
  { contextTokens, tokenizer }: SharedParts,
  plan: PromptPlan,
  { request, count }: SessionCall,
): GenerateRequest {
  const maxTokens = answerRoom(contextTokens, promptLength(plan), request.sampling.maxTokens);
  let ids: readonly number[] | null = null;
  return {
    get ids() {
      ids ??= promptIds(plan);
      return ids;
    },
    n: count,
    sampling: { ...request.sampling, ...(maxTokens !== undefined && { maxTokens }) },
    stopIds: tokenizer.turnEndIds,
  };
}

/** What servers do with a request beyond the window differs: some refuse it, some cut it in silence. */
function answerRoom(
  contextTokens: number | null,
  promptTokens: number,
  asked: number | undefined,
): number | undefined {
  if (contextTokens === null) return asked;
  const room = contextTokens - promptTokens;
  if (room >= 1) return Math.min(asked ?? room, room);
  throw new ModelError(
    'CONTEXT_OVERFLOW',
    `The prompt has ${promptTokens} tokens and the model's window ${contextTokens}: shorten the conversation, or serve the model with a larger window.`,
  );
}

function readResult(
  { engine }: SharedParts,
  reading: Reading,
  request: GenerateRequest,
  result: Extract<TokenEvent, { type: 'result' }>,
  first: AnswerReader,
): readonly EngineAnswer[] {
  const { outputs, promptIds: echo, cachedTokens } = result;
  if (outputs.length !== request.n)
    throw new ModelError(
      'BAD_RESPONSE',
      `The engine ${engine.id} gave ${outputs.length} answers where ${request.n} were asked for.`,
    );
  if (echo !== null) checkEcho(request.ids, echo);
  for (const output of outputs) checkOutput(output, engine.capabilities.vocabularySize);
  return outputs.map((output, choice) => ({
    output,
    read: (choice === 0 ? first : readAnswer(reading)).finish(output),
    cachedTokens,
    startsInThought: reading.startInReasoning,
  }));
}

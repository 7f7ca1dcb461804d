import {
  type EngineCapabilities,
  type GenerateRequest,
  type ModelAttempt,
  type ModelCallContext,
  ModelError,
  type ModelErrorCode,
  type TokenEngine,
  type TokenEvent,
  type TokenFinish,
  type Tokenizer,
  type TokenOutput,
} from '@hermes/protocol';

/** One answer. A text is sampled token by token and ends its turn; all else says it exactly. */
export type ScriptedTokens =
  | string
  | Readonly<{
      /** Encoded as it is; default `''`. */
      text?: string;
      /** Sampled ids; they win over `text`. */
      ids?: readonly number[];
      /** Default true: the first id that ends a turn follows. */
      endsTurn?: boolean;
      /** Default: numbers that follow from id and place. */
      logprobs?: readonly number[];
      /** Default: a stop at the id that ends the turn, or a stop of the server. */
      finish?: TokenFinish;
      /** What the engine says the prompt was; default null, no echo. */
      promptIds?: readonly number[] | null;
      weightVersion?: string;
      /** Attempts that fail before the one that counts, each after its first token. */
      failedAttempts?: readonly ModelErrorCode[];
      /** Thrown after the tokens, in place of the result. */
      error?: ModelErrorCode;
      /** True: after the tokens nothing more comes until the call is aborted. */
      hang?: boolean;
    }>;

/** A question that was asked, with a copy of its ids. */
export type RecordedQuestion = Readonly<{
  ids: readonly number[];
  request: GenerateRequest;
  context: ModelCallContext;
}>;

/** Options of `scriptedTokenEngine`. */
export type ScriptedEngineOptions = Readonly<{
  tokenizer: Tokenizer;
  capabilities?: Partial<EngineCapabilities>;
  /** How many tokens come at once; 0: only the result. Default 1. */
  deltaTokens?: number;
  /** False: prompts are not looked at and not kept, as a benchmark needs it. Default true. */
  record?: boolean;
}>;

/** A `TokenEngine` that plays a script and remembers what it was asked. */
export interface ScriptedEngine extends TokenEngine {
  readonly questions: readonly RecordedQuestion[];
}

/** The next answer: from a list in order (one entry a choice), or made from the question. */
export type EngineScript =
  | readonly ScriptedTokens[]
  | ((ids: readonly number[], call: number) => ScriptedTokens | Promise<ScriptedTokens>);

/** An engine in process, exact to the token, for tests of whatever stands on token engines. */
export function scriptedTokenEngine(
  script: EngineScript,
  options: ScriptedEngineOptions,
): ScriptedEngine {
  const { record = true, tokenizer } = options;
  const questions: RecordedQuestion[] = [];
  let asked = 0;
  const next = async (request: GenerateRequest): Promise<ScriptedTokens> => {
    const call = asked;
    asked += 1;
    if (typeof script === 'function') return script(record ? request.ids : [], call);
    const turn = script[call];
    if (turn === undefined)
      throw new ModelError('BAD_REQUEST', `The script has ${script.length} answers.`);
    return turn;
  };
  return {
    specificationVersion: 'v1',
    id: 'scripted',
    modelId: 'scripted',
    capabilities: { ...CAPABILITIES, ...options.capabilities },
    questions,
    async *generate(request, context) {
      if (record) questions.push({ ids: [...request.ids], request, context });
      if (context.signal.aborted) throw aborted();
      const turns: ScriptedTokens[] = [];
      for (let choice = 0; choice < request.n; choice += 1) turns.push(await next(request));
      yield* play(turns, tokenizer, options.deltaTokens ?? 1, asked, context.signal);
    },
  };
}

const CAPABILITIES: EngineCapabilities = {
  streaming: true,
  abort: 'connection',
  score: false,
  vocabularySize: null,
  contextTokens: null,
};

async function* play(
  turns: readonly ScriptedTokens[],
  tokenizer: Tokenizer,
  deltaTokens: number,
  call: number,
  signal: AbortSignal,
): AsyncGenerator<TokenEvent> {
  const [first] = turns.map((turn) => (typeof turn === 'string' ? { text: turn } : turn));
  const outputs = turns.map((turn) => outputOf(turn, tokenizer));
  const failures = first?.failedAttempts ?? [];
  for (const [index, code] of failures.entries()) {
    yield attemptStart(call, index + 1);
    yield* deltas(outputs.slice(0, 1), deltaTokens, 1);
    yield attemptEnd(call, index + 1, code);
  }
  const number = failures.length + 1;
  yield attemptStart(call, number);
  yield* deltas(outputs, deltaTokens);
  if (first?.hang) await untilAborted(signal);
  if (first?.error !== undefined) {
    yield attemptEnd(call, number, first.error);
    throw new ModelError(first.error, `The script says ${first.error}.`);
  }
  yield attemptEnd(call, number, null);
  yield { type: 'result', outputs, promptIds: first?.promptIds ?? null, cachedTokens: null };
}

function outputOf(turn: ScriptedTokens, tokenizer: Tokenizer): TokenOutput {
  const given = typeof turn === 'string' ? { text: turn } : turn;
  const [endId] = tokenizer.turnEndIds;
  const said = given.ids ?? tokenizer.encode(given.text ?? '');
  const ends = given.endsTurn !== false && endId !== undefined && given.ids === undefined;
  const ids = ends ? [...said, endId] : said;
  const matchedId = ends ? endId : null;
  return {
    ids,
    logprobs: given.logprobs ?? ids.map(logprobOf),
    finish: given.finish ?? { type: 'stop', matchedId, matchedText: null },
    weightVersion: given.weightVersion ?? null,
  };
}

/** Exact in binary, so that sums and copies compare equal. */
function logprobOf(id: number, at: number): number {
  return -(1 + ((id + at) % 16)) / 16;
}

function* deltas(
  outputs: readonly TokenOutput[],
  size: number,
  longest: number = Number.POSITIVE_INFINITY,
): Generator<TokenEvent> {
  if (size <= 0) return;
  for (const [choice, { ids, logprobs }] of outputs.entries()) {
    for (let at = 0; at < Math.min(ids.length, longest); at += size) {
      const [from, to] = [at, at + size];
      yield {
        type: 'tokens_delta',
        choice,
        ids: ids.slice(from, to),
        logprobs: logprobs.slice(from, to),
      };
    }
  }
}

function attemptStart(call: number, number: number): TokenEvent {
  return { type: 'attempt_start', attemptId: `attempt_${call}_${number}`, number };
}

function attemptEnd(call: number, number: number, code: ModelErrorCode | null): TokenEvent {
  const at = { wallMs: 0, monoMs: 0 };
  const error = code === null ? null : new ModelError(code, `The script says ${code}.`).toInfo();
  const attempt: ModelAttempt = {
    attemptId: `attempt_${call}_${number}`,
    number,
    modelCallId: null,
    responseId: null,
    modelId: 'scripted',
    startedAt: at,
    endedAt: at,
    firstTokenMs: null,
    statusCode: null,
    usage: UNKNOWN_USAGE,
    error,
  };
  return { type: 'attempt_end', attempt };
}

const UNKNOWN_USAGE = {
  inputTokens: null,
  outputTokens: null,
  totalTokens: null,
  cachedTokens: null,
  cacheWriteTokens: null,
  reasoningTokens: null,
};

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(aborted());
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function aborted(): ModelError {
  return new ModelError('CANCELLED', 'The scripted call was aborted.');
}

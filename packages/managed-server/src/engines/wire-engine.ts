import type {
  Effects,
  EngineCapabilities,
  GenerateRequest,
  ModelCallContext,
  TokenEngine,
  TokenEvent,
} from '@hermes/protocol';
import type { EngineWire } from '../wire/engine-wire.ts';
import { createAborts } from './aborts.ts';
import { askOnce, type OpenEngine } from './ask-once.ts';
import { askSeparately } from './ask-separately.ts';
import { checkPrompt } from './check-prompt.ts';
import type { EngineDialect, EngineQuestion } from './engine-dialect.ts';
import { fullSampling } from './full-sampling.ts';
import { withinLimit } from './within-limit.ts';

/** What an engine over a wire needs to know beside its dialect. */
export type WireEngineSettings = Readonly<{
  model: string;
  /** Tokens as they come, where dialect and wire have streams. */
  stream: boolean;
  timeoutMs: number;
  maxAttempts: number;
  retryDelayMs: number;
  vocabularySize: number | null;
  contextTokens: number | null;
}>;

/** A `TokenEngine` of a dialect and a wire: one layer of retries, limits of time, and checks that every server needs. */
export function createWireEngine(
  dialect: EngineDialect,
  wire: EngineWire,
  settings: WireEngineSettings,
  effects: Effects,
): TokenEngine {
  const isStreamed =
    settings.stream && dialect.streaming !== undefined && wire.stream !== undefined;
  const { scoring, tokenizing } = dialect;
  const aborts = createAborts(wire, effects);
  const open: OpenEngine = { dialect, wire, settings, effects, isStreamed, aborts };
  const sendWithin = (request: Parameters<EngineWire['send']>[0], signal: AbortSignal) =>
    withinLimit(effects.clock, settings.timeoutMs, signal, wire.address, (limited) =>
      wire.send(request, limited),
    );
  return {
    specificationVersion: 'v1',
    id: dialect.name,
    modelId: settings.model,
    capabilities: capabilitiesOf(dialect, settings, isStreamed),
    generate: (request, context) => generate(open, request, context),
    ...(scoring && {
      async score(ids, topK, signal) {
        checkPrompt(ids, settings.vocabularySize);
        const body = await sendWithin(scoring.question(settings.model, ids, topK), signal);
        return scoring.read(body, ids);
      },
    }),
    ...(tokenizing && {
      async tokenize(text, signal) {
        return tokenizing.read(await sendWithin(tokenizing.question(settings.model, text), signal));
      },
    }),
    async close() {
      await aborts.settled();
      await wire.close();
    },
  };
}

function capabilitiesOf(
  { abort, scoring }: EngineDialect,
  { contextTokens, vocabularySize }: WireEngineSettings,
  streaming: boolean,
): EngineCapabilities {
  return { streaming, abort, score: scoring !== undefined, vocabularySize, contextTokens };
}

async function* generate(
  open: OpenEngine,
  request: GenerateRequest,
  context: ModelCallContext,
): AsyncGenerator<TokenEvent> {
  const { dialect, settings } = open;
  const ids = request.ids;
  checkPrompt(ids, settings.vocabularySize);
  const question: Omit<EngineQuestion, 'requestId'> = {
    model: settings.model,
    ids,
    n: request.n,
    sampling: fullSampling(request.sampling),
    stopIds: request.stopIds ?? [],
  };
  const isOne = request.n === 1 || dialect.takesMany(question.sampling);
  yield* isOne
    ? askOnce(open, question, context.signal)
    : askSeparately(open, question, context.signal);
}

import type {
  Effects,
  EngineCapabilities,
  GenerateRequest,
  ModelCallContext,
  PositionScore,
  TokenEngine,
  TokenEvent,
  Tokenizer,
} from '@hermes/protocol';
import { ModelError } from '@hermes/protocol';
import type { Llama, LlamaContext, LlamaModel, Token } from 'node-llama-cpp';
import { checkIds, checkRequest } from './check-request.ts';
import { generateAnswers } from './generate-answers.ts';
import { scoreIds } from './score-ids.ts';
import { SequencePool } from './sequence-pool.ts';

/** What an engine is made of; it closes `llama`, and with it the rest. */
export type EngineParts = Readonly<{
  llama: Llama;
  model: LlamaModel;
  context: LlamaContext;
  contextTokens: number;
  tokenizer: Tokenizer;
  effects: Effects;
}>;

/** A model in this process: ids in, ids and the log-probs of the model's own distribution out. */
export class LlamaEngine implements TokenEngine {
  readonly specificationVersion = 'v1';
  readonly id = 'llama';
  readonly modelId: string;
  readonly capabilities: EngineCapabilities;
  readonly #parts: EngineParts;
  readonly #rows: number;
  readonly #sequences: SequencePool;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#rows = parts.model.fileInfo.metadata.tokenizer.ggml.tokens.length;
    this.#sequences = new SequencePool(parts.context);
    this.modelId = (parts.model.filename ?? 'model').replace(/\.gguf$/i, '');
    this.capabilities = {
      streaming: true,
      abort: 'engine',
      score: true,
      vocabularySize: this.#rows,
      contextTokens: parts.contextTokens,
    };
  }

  async *generate(request: GenerateRequest, context: ModelCallContext): AsyncIterable<TokenEvent> {
    const { contextTokens, model, tokenizer, effects } = this.#parts;
    // Read once: a long history may be put together only when it is asked for.
    const given = { ...request, ids: request.ids };
    checkRequest(given, this.#rows, contextTokens);
    yield* generateAnswers({
      request: given,
      room: contextTokens - given.ids.length,
      isEnd: (id) => model.isEogToken(id as Token),
      tokenizer,
      sequences: this.#sequences,
      effects,
      signal: this.#until(context.signal),
    });
  }

  async tokenize(text: string): Promise<readonly number[]> {
    return this.#parts.model.tokenize(text, true);
  }

  async score(
    ids: readonly number[],
    topK: number,
    signal: AbortSignal,
  ): Promise<readonly (PositionScore | null)[]> {
    checkIds(ids, this.#rows, this.#parts.contextTokens);
    const until = this.#until(signal);
    return this.#sequences.use(ids, until, (sequence) =>
      scoreIds(sequence, { ids, topK, rows: this.#rows, signal: until }),
    );
  }

  /** Ends what runs, then gives back all memory. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(new ModelError('CANCELLED', `The engine of ${this.modelId} was closed.`));
    await this.#sequences.close();
    await this.#parts.llama.dispose();
  }

  #until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#closing.signal]);
  }
}

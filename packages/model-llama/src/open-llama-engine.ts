import { access } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Effects, ModelError, type TokenEngine, type Tokenizer } from '@hermes/protocol';
import type { Llama } from 'node-llama-cpp';
import { withDefaultEffects } from './_default-effects.ts';
import { asModelError } from './as-model-error.ts';
import { checkTokenizer } from './check-tokenizer.ts';
import { tokenizerOfGguf } from './gguf/tokenizer-of-gguf.ts';
import { startLlama } from './llama-binding.ts';
import { LlamaEngine } from './llama-engine.ts';
import { openModel } from './open-model.ts';

/** What a GGUF file is opened with. */
export type LlamaOptions = Readonly<{
  /** The GGUF file. */
  path: string;
  /** Of one sequence, prompt and answer together. Default: what the model was trained on, at most 8192. */
  contextTokens?: number;
  /** How many answers are generated at once; more wait. Each has a context of its own. Default 4. */
  sequences?: number;
  /** Of the processor. Default: half of what it can run at once, because they spin and sandboxes need it, too. */
  threads?: number;
  /** Use a graphics processor where one is found. Default false. */
  gpu?: boolean;
  /** In place of the one in the file, where that cannot be used or lacks a template. It is compared with the model's. */
  tokenizer?: Tokenizer;
  /** Ends the loading. */
  signal?: AbortSignal;
}>;

/**
 * Loads a GGUF file into this process. `close` of the engine gives its memory back; nothing else
 * has to be closed. Throws `ModelError`: `CONFIG` where the library or the file cannot be used or
 * the tokenizer is not the model's, `UNSUPPORTED` where that of the file is not known, `CANCELLED`.
 */
export async function openLlamaEngine(
  options: LlamaOptions,
  effects?: Partial<Effects>,
): Promise<Readonly<{ engine: TokenEngine; tokenizer: Tokenizer }>> {
  const used = withDefaultEffects(effects);
  checkNumbers(options);
  const threads = options.threads ?? Math.max(1, Math.floor(availableParallelism() / 2));
  await access(options.path).catch((cause: unknown) => {
    throw new ModelError('CONFIG', `There is no file ${options.path}.`, { cause });
  });
  const complaints: string[] = [];
  const llama = await startLlama({ ...options, threads }, (severity, message) => {
    if (severity === 'error') complaints.push(message);
    used.logger.log(severity, message);
  });
  try {
    return await open(llama, { ...options, threads }, used);
  } catch (cause) {
    // What llama.cpp has said is on its way still; who has closed it does not hear it.
    await nextTurn();
    await llama.dispose();
    if (options.signal?.aborted) throw cancelled(options.path, cause);
    throw asModelError('CONFIG', `open ${options.path}`, cause, complaints);
  }
}

async function open(
  llama: Llama,
  options: LlamaOptions & { readonly threads: number },
  effects: Effects,
): Promise<Readonly<{ engine: TokenEngine; tokenizer: Tokenizer }>> {
  const { model, context, contextTokens } = await openModel(llama, options);
  const tokenizer = options.tokenizer ?? tokenizerOfGguf(model, options.path);
  checkTokenizer(tokenizer, model, options.path);
  options.signal?.throwIfAborted();
  const engine = new LlamaEngine({ llama, model, context, contextTokens, tokenizer, effects });
  return { engine, tokenizer };
}

function checkNumbers({ contextTokens, sequences, threads }: LlamaOptions): void {
  for (const [name, value] of Object.entries({ contextTokens, sequences, threads }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0))
      throw new ModelError('CONFIG', `${name} must be a whole number above 0, not ${value}.`);
}

function cancelled(path: string, cause: unknown): ModelError {
  return new ModelError('CANCELLED', `The loading of ${path} was cancelled.`, { cause });
}

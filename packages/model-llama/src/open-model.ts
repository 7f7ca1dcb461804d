import type { Llama, LlamaContext, LlamaModel } from 'node-llama-cpp';
import { sampleInTurn } from './sample-in-turn.ts';

/** More than most tasks need; a context of all that a large model was trained on may not fit into memory. */
const MOST_CONTEXT_BY_DEFAULT = 8192;
const DEFAULT_SEQUENCES = 4;

/** A loaded model and the memory of its sequences. */
export type OpenedModel = Readonly<{
  model: LlamaModel;
  context: LlamaContext;
  /** Of one sequence; the library may hold a little more. */
  contextTokens: number;
}>;

/** Loads the weights and makes room for the sequences. */
export async function openModel(
  llama: Llama,
  options: Readonly<{
    path: string;
    contextTokens?: number;
    sequences?: number;
    threads: number;
    signal?: AbortSignal;
  }>,
): Promise<OpenedModel> {
  const { signal, threads } = options;
  const model = await llama.loadModel({
    modelPath: options.path,
    ...(signal === undefined ? {} : { loadSignal: signal }),
  });
  const contextTokens =
    options.contextTokens ?? Math.min(model.trainContextSize, MOST_CONTEXT_BY_DEFAULT);
  const context = await model.createContext({
    contextSize: contextTokens,
    sequences: options.sequences ?? DEFAULT_SEQUENCES,
    threads,
    ...(signal === undefined ? {} : { createSignal: signal }),
  });
  sampleInTurn(context);
  return { model, context, contextTokens };
}

import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { HermesError, type TokenEngine, type Tokenizer } from '@hermes/protocol';
import { loadTokenizer } from '@hermes/tokenizer';
import type { ChosenModel, ModelRequest } from '../models.ts';
import { chosenTokenModel } from './chosen-token-model.ts';
import { findTokenizer, namedTokenizer } from './find-tokenizer.ts';
import { openTokenModel, type TokenModel } from './open-token-model.ts';
import type { OpenedEngines } from './opened-engines.ts';

/** Answers at once; the sessions of more rollouts wait for each other. */
const SEQUENCES = 4;

/** `llama:FILE.gguf`: a model in this process whose rollouts can be trained on. */
export async function chooseLlamaModel(
  file: string | null,
  request: ModelRequest,
): Promise<ChosenModel> {
  return chosenTokenModel(await openLlamaModel(file, request), request);
}

/** The same for whoever has no run. Its tokenizer is the one that is named, else that of the file's folder, else the file's own. */
export async function openLlamaModel(
  file: string | null,
  request: ModelRequest,
): Promise<TokenModel> {
  if (file === null || file === '')
    throw new HermesError('config', 'CONFIG', 'which file? Write --model llama:FILE.gguf');
  const { servers, effects, signal, workingDirectory } = request;
  const path = resolve(workingDirectory, file);
  const { openLlamaEngine } = await importEngine();
  const given = await givenTokenizer(path, request);
  const contextTokens = servers[0]?.contextTokens ?? null;
  const { engine, tokenizer } = await openLlamaEngine(
    {
      path,
      sequences: SEQUENCES,
      signal,
      ...(given === null ? {} : { tokenizer: given }),
      ...(contextTokens === null ? {} : { contextTokens }),
    },
    effects,
  );
  return openTokenModel(only(engine), tokenizer, request);
}

function only(engine: TokenEngine): OpenedEngines {
  return {
    engine,
    calls: SEQUENCES,
    at: () => undefined,
    servers: () => [],
    stats: () => ({}),
    release: () => undefined,
    close: async () => engine.close?.(),
  };
}

/** null = the one in the file. What lies beside it are the files of the original model, which say more. */
async function givenTokenizer(path: string, request: ModelRequest): Promise<Tokenizer | null> {
  if (namedTokenizer(request) !== null) return findTokenizer(path, request);
  const dir = dirname(path);
  const isBeside = await stat(resolve(dir, 'tokenizer.json')).then(
    () => true,
    () => false,
  );
  return isBeside ? loadTokenizer({ dir }, { signal: request.signal }) : null;
}

async function importEngine(): Promise<typeof import('@hermes/model-llama')> {
  try {
    return await import('@hermes/model-llama');
  } catch (cause) {
    throw new HermesError(
      'config',
      'CONFIG',
      '--model llama needs two more packages: npm install @hermes/model-llama node-llama-cpp',
      { cause },
    );
  }
}

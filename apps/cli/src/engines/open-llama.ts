import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { HermesError, type TokenEngine, type Tokenizer } from '@hermes/protocol';
import type { ModelRequest } from '../models.ts';
import { findTokenizer, namedTokenizer } from './find-tokenizer.ts';
import type { OpenedEngines } from './opened-engines.ts';

/** Answers at once; the sessions of more rollouts wait for each other. */
const SEQUENCES = 4;

/** Loads a GGUF file into this process. Its tokenizer is the one that is named, else that of its folder, else its own. */
export async function openLlama(
  file: string | null,
  request: ModelRequest,
): Promise<Readonly<{ engines: OpenedEngines; tokenizer: Tokenizer }>> {
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
  return { engines: only(engine), tokenizer };
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
  const beside = dirname(path);
  const isBeside = await stat(resolve(beside, 'tokenizer.json')).then(
    () => true,
    () => false,
  );
  return namedTokenizer(request) !== null || isBeside ? findTokenizer(beside, request) : null;
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

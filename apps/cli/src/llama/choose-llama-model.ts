import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createManagedServer, type ManagedServer } from '@hermes/managed-server';
import { HermesError, type TokenEngine, type Tokenizer } from '@hermes/protocol';
import { chooseTokenParser } from '../choose-token-parser.ts';
import type { ChosenModel, ModelRequest } from '../models.ts';

/** Answers at once; the sessions of more rollouts wait for each other. */
const SEQUENCES = 4;

type Opened = Readonly<{ engine: TokenEngine; server: ManagedServer }>;

/** `llama:FILE.gguf`: a model in this process whose rollouts can be trained on. It is loaded before anything else is started. */
export async function chooseLlamaModel(
  file: string | null,
  request: ModelRequest,
): Promise<ChosenModel> {
  if (file === null || file === '')
    throw new HermesError('config', 'CONFIG', 'which file? Write --model llama:FILE.gguf');
  const path = resolve(request.workingDirectory, file);
  const loading = new AbortController();
  let opened: Promise<Opened> | undefined;
  const open = (): Promise<Opened> => {
    opened ??= load(path, request, loading.signal);
    return opened;
  };
  return {
    provider: 'llama',
    modelId: path.replace(/^.*[\\/]/, '').replace(/\.gguf$/i, ''),
    open: async ({ rolloutId }) => (await open()).server.openSession(rolloutId),
    modelCalls: SEQUENCES,
    async preflight(signal) {
      const abort = (): void => loading.abort(signal.reason);
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort);
      try {
        await open();
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    async close() {
      loading.abort();
      const ended = await opened?.catch(() => undefined);
      await ended?.server.close();
      await ended?.engine.close?.();
    },
  };
}

async function load(
  path: string,
  { servers, toolCallParser, effects }: ModelRequest,
  signal: AbortSignal,
): Promise<Opened> {
  const { openLlamaEngine } = await importEngine();
  const tokenizer = await tokenizerBeside(path, signal);
  const contextTokens = servers[0]?.contextTokens ?? null;
  const opened = await openLlamaEngine(
    {
      path,
      sequences: SEQUENCES,
      signal,
      ...(tokenizer === null ? {} : { tokenizer }),
      ...(contextTokens === null ? {} : { contextTokens }),
    },
    effects,
  );
  try {
    const parser = await chooseTokenParser(toolCallParser, opened.tokenizer, path);
    return { ...opened, server: await createManagedServer({ ...opened, parser, effects, signal }) };
  } catch (error) {
    await opened.engine.close?.();
    throw error;
  }
}

/** The files of the original model, where they lie beside the GGUF file: they say more than it does. */
async function tokenizerBeside(path: string, signal: AbortSignal): Promise<Tokenizer | null> {
  const dir = dirname(path);
  const isThere = await stat(resolve(dir, 'tokenizer.json')).then(
    () => true,
    () => false,
  );
  if (!isThere) return null;
  const { loadTokenizer } = await import('@hermes/tokenizer');
  return loadTokenizer({ dir }, { signal });
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

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HermesError, type Tokenizer } from '@hermes/protocol';
import { loadTokenizer, type TokenizerSource, tokenizerSettings } from '@hermes/tokenizer';
import type { ModelRequest } from '../models.ts';

type Request = Pick<
  ModelRequest,
  'environmentVariables' | 'servers' | 'signal' | 'tokenizerName' | 'workingDirectory'
>;

/** The tokenizer that the configuration names, else the one that goes by the name of the model. Throws CONFIG with the way out. */
export async function findTokenizer(modelId: string, request: Request): Promise<Tokenizer> {
  const named = namedTokenizer(request);
  const { environmentVariables, signal, workingDirectory } = request;
  const settings = tokenizerSettings(environmentVariables);
  try {
    const source = await sourceOf(named ?? modelId, workingDirectory);
    return await loadTokenizer(source, { ...settings, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!HermesError.isInstance(error)) throw error;
    throw notFound(named, modelId, error);
  }
}

/** The name in the configuration; null = there is none. */
export function namedTokenizer({
  servers,
  tokenizerName,
}: Pick<Request, 'servers' | 'tokenizerName'>): string | null {
  return (
    tokenizerName ?? servers.find((server) => server.tokenizerName !== null)?.tokenizerName ?? null
  );
}

/** What is there on this machine wins over a name on the hub. */
async function sourceOf(name: string, workingDirectory: string): Promise<TokenizerSource> {
  const path = resolve(workingDirectory, name);
  const found = await stat(path).catch(() => null); // not there, or not to be read: then it is a name
  if (found?.isDirectory()) return { dir: path };
  if (found !== null || /^[./]|\.json$/.test(name)) return { file: path };
  return { hub: name };
}

function notFound(named: string | null, modelId: string, cause: HermesError): HermesError {
  const places = 'a folder, a tokenizer.json, or a model in the cache of the hub';
  const message =
    named === null
      ? `no tokenizer goes by the name of the model '${modelId}' (${cause.message}): name one with --env.tokenizer_name, ${places}`
      : `env.tokenizer_name '${named}' is no tokenizer: ${cause.message}. It is ${places}`;
  return new HermesError('config', 'CONFIG', message, { cause });
}

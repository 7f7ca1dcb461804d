import type { ServerSettings } from '@hermes/env-core';
import { HermesError } from '@hermes/protocol';
import type { ModelRequest } from '../models.ts';

/** One server as it will be asked: address, key and model are known. */
export interface Endpoint {
  readonly baseUrl: string;
  /** null: none is sent. */
  readonly apiKey: string | null;
  /** Where the key came from, or should come from, for messages. */
  readonly keySource: string;
  readonly model: string;
  readonly settings: ServerSettings;
}

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** Fills in what the configuration leaves to the environment variables. Throws a HermesError `config` for what is missing or wrong. */
export function endpointOf(
  settings: ServerSettings,
  model: string,
  variables: ModelRequest['environmentVariables'],
): Endpoint {
  const given = checkedUrl(settings.baseUrl || variables.OPENAI_BASE_URL || DEFAULT_BASE_URL);
  const baseUrl = withChatPath(given, settings);
  return { baseUrl, ...keyOf(settings, variables, baseUrl), model, settings };
}

/** The headers of every request to an endpoint. */
export function requestHeaders({ apiKey, settings }: Endpoint): Readonly<Record<string, string>> {
  const authorization = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
  return { ...authorization, ...settings.headers };
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) {
    if (url.username === '' && url.password === '') return text.replace(/\/+$/, '');
    throw config(
      `--base-url of ${url.host} holds a user or password: leave it out, and give the key in OPENAI_API_KEY or by --api-key-env`,
    );
  }
  throw config(
    `--base-url '${text}' is no http or https address; write for example http://127.0.0.1:8000/v1`,
  );
}

/** Engines that also speak token ids are named by their root; their chat API begins below it. */
function withChatPath(url: string, { serverType }: ServerSettings): string {
  return serverType !== 'openai' && new URL(url).pathname === '/' ? `${url}/v1` : url;
}

/** Hosts whose keys have a variable of their own. */
const KEY_VARIABLES: Readonly<Record<string, string>> = { 'openrouter.ai': 'OPENROUTER_API_KEY' };

/** The configuration's own key, the named variable, then that of the host, then the usual one. */
function keyOf(
  { apiKey, apiKeyVariable }: ServerSettings,
  variables: ModelRequest['environmentVariables'],
  baseUrl: string,
): Pick<Endpoint, 'apiKey' | 'keySource'> {
  if (apiKeyVariable !== null) {
    const named = variables[apiKeyVariable];
    if (named) return { apiKey: named.trim(), keySource: apiKeyVariable };
    throw config(
      `the key is to come from the variable ${apiKeyVariable}, which is not set: set it, or name another one (--api-key-env)`,
    );
  }
  if (apiKey !== '') return { apiKey, keySource: 'openai.api_key' };
  const hosts = KEY_VARIABLES[new URL(baseUrl).hostname];
  const own = hosts === undefined ? '' : variables[hosts]?.trim();
  if (hosts !== undefined && own) return { apiKey: own, keySource: hosts };
  const usual = variables.OPENAI_API_KEY?.trim();
  return { apiKey: usual || null, keySource: 'OPENAI_API_KEY' };
}

function config(message: string): HermesError {
  return new HermesError('config', 'CONFIG', message);
}

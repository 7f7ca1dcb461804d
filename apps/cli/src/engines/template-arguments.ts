import { HermesError, type JsonObject, type JsonValue } from '@hermes/protocol';

/** The switches of the chat template in an `extra_body`. Throws CONFIG for all else: an engine that is asked in tokens gets no body of a chat API. */
export function templateArguments(extraBody: JsonObject = {}): JsonObject {
  const { [KEY]: switches = {}, ...others } = extraBody;
  const [other] = Object.keys(others);
  if (other !== undefined) throw refused(`${other} cannot be said to an engine in tokens`);
  if (!isMap(switches)) throw refused(`${KEY} is no map`);
  return switches;
}

/** As vLLM and SGLang call them. */
const KEY = 'chat_template_kwargs';

function isMap(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(what: string): HermesError {
  const message = `env.extra_body: ${what}; it may hold ${KEY}, and sampling values have flags of their own`;
  return new HermesError('config', 'CONFIG', message);
}

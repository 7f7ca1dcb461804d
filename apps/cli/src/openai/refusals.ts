import { HermesError } from '@hermes/protocol';
import { nearestName } from '@hermes/sandbox';
import type { Endpoint } from './endpoint.ts';

/** One sentence for an endpoint that cannot be reached. */
export function unreachable({ baseUrl }: Endpoint, why: string, cause: unknown): HermesError {
  return refusal(
    'MODEL_UNREACHABLE',
    `cannot reach the endpoint ${baseUrl} (${why}): start the server, or mend --base-url`,
    cause,
  );
}

/** One sentence for a key that is missing or wrong. */
export function wrongKey({ baseUrl, apiKey, keySource }: Endpoint, cause: unknown): HermesError {
  const what =
    apiKey === null
      ? `wants a key: set ${keySource}, or name the variable that holds it with --api-key-env`
      : `refuses the key from ${keySource}: set the right one, or name another variable with --api-key-env`;
  return refusal('MODEL_AUTH', `the endpoint ${baseUrl} ${what}`, cause);
}

/** One sentence for a model that the endpoint does not serve. served: the names it lists, where it does. */
export function unknownModel(
  { baseUrl, model }: Endpoint,
  served: readonly string[],
  cause: unknown,
): HermesError {
  if (served.includes(model)) return listedOnly(baseUrl, model, cause);
  const nearest = nearestName(model, served);
  const hint = nearest === null ? '' : ` Did you mean openai:${nearest}?`;
  const rest =
    served.length === 0
      ? ' Check the name, and that --base-url is the whole address of the API, for most servers up to /v1'
      : ` It lists: ${shortList(served)}`;
  const message = `the endpoint ${baseUrl} does not know the model '${model}'.${hint}${rest}`;
  return refusal('MODEL_UNKNOWN', message, cause);
}

function listedOnly(baseUrl: string, model: string, cause: unknown): HermesError {
  const message = `the endpoint ${baseUrl} lists the model '${model}' and does not find it when asked: look at the server's log, or choose another model`;
  return refusal('MODEL_UNKNOWN', message, cause);
}

const LISTED = 20;

function shortList(names: readonly string[]): string {
  const more = names.length - LISTED;
  const shown = names.slice(0, LISTED).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

function refusal(code: string, message: string, cause: unknown): HermesError {
  return new HermesError('config', code, message, { cause });
}

import { HermesError } from '@hermes/protocol';
import { checkEndpoint } from './check-endpoint.ts';
import type { Endpoint } from './endpoint.ts';

/** What the endpoints of a run list, as far as they were asked. */
export type Served = ReadonlyMap<Endpoint, readonly string[]>;

/**
 * Asks all endpoints of a run. One that is not there is a note as long as another one is; a refused key is an error in any case. Throws a
 * HermesError `config`.
 */
export async function checkEndpoints(
  endpoints: readonly Endpoint[],
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<Served> {
  const asked = endpoints.filter((endpoint) => endpoint.settings.checksHealth);
  const answers = await Promise.allSettled(
    asked.map((endpoint) => checkEndpoint(endpoint, signal)),
  );
  const served = new Map<Endpoint, readonly string[]>();
  const failures: unknown[] = [];
  for (const [index, answer] of answers.entries()) {
    const endpoint = asked[index];
    if (answer.status === 'rejected') failures.push(answer.reason);
    else if (endpoint !== undefined) served.set(endpoint, answer.value);
  }
  refuse(failures, endpoints.length, note);
  for (const [endpoint, names] of served) tellUnlisted(endpoint, names, note);
  return served;
}

function refuse(
  failures: readonly unknown[],
  endpoints: number,
  note: (text: string) => void,
): void {
  const fatal = failures.find((failure) => !isAway(failure));
  if (fatal !== undefined) throw fatal;
  if (failures.length === endpoints && endpoints > 0) throw failures[0];
  for (const failure of failures) note((failure as HermesError).message);
}

function isAway(failure: unknown): failure is HermesError {
  return HermesError.isInstance(failure) && failure.code === 'MODEL_UNREACHABLE';
}

function tellUnlisted(
  { baseUrl, model }: Endpoint,
  names: readonly string[],
  note: (text: string) => void,
): void {
  if (names.length > 0 && !names.includes(model))
    note(`the endpoint ${baseUrl} does not list ${model}; it is asked all the same`);
}

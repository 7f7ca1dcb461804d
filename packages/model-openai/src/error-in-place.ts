import { parseJson } from './_json.ts';
import { readLimited } from './read-limited.ts';
import { readServerError } from './server-error.ts';

/** More of an error page than this helps nobody. */
const ERROR_BODY_BYTES = 65_536;

/**
 * Servers put an error at the top of the body, under `detail`, or send a page of HTML, but the `openai`
 * package looks under `error` alone. Puts it there; other answers pass unchanged.
 */
export async function errorInPlace(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { headers, status } = response;
  const text = response.body ? await readLimited(response.body, ERROR_BODY_BYTES, 'cut') : '';
  const error = readServerError(parseJson(text)) ?? { message: text, type: null, code: null };
  return new Response(mayHaveBody(status) ? JSON.stringify({ error }) : null, { headers, status });
}

/** The statuses with which a `Response` refuses a body. */
function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304;
}

import type { HubContext } from './hub-context.ts';
import type { HubSubject } from './hub-errors.ts';
import { type OpenAnswer, requestHub, withDeadline } from './hub-request.ts';

const BODY_DEADLINE_MS = 60_000;

/** The `fetch` that `@huggingface/hub` is given: with deadlines, retries, the token, and errors in words. */
export function libraryFetch(context: HubContext, subject: HubSubject): typeof fetch {
  return (input, init) =>
    requestHub(context, {
      subject,
      url: input instanceof Request ? input.url : String(input),
      headers: new Headers(init?.headers),
      take: (answer) => readWhole(context, answer),
    });
}

/** Listings are small; read here, a body that stalls counts as a failed attempt. */
function readWhole(context: HubContext, { response, request }: OpenAnswer): Promise<Response> {
  return withDeadline(context, BODY_DEADLINE_MS, request, async () => {
    const { status, headers } = response;
    return new Response(await response.arrayBuffer(), { status, headers });
  });
}

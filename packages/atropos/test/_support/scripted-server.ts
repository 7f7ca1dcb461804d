import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Seen = Readonly<{
  route: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}>;

/** An answer as JSON; a function does with the response what it likes, for instance nothing. */
export type Scripted =
  | Readonly<{ status?: number; body: unknown; headers?: Record<string, string> }>
  | ((response: ServerResponse) => void);

export interface ScriptedServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  readonly seen: readonly Seen[];
  routes(): readonly string[];
}

/** A server that answers by route, each route from its list; the last answer of a list is given again and again. */
export async function startScriptedServer(
  script: Readonly<Record<string, readonly Scripted[]>>,
  port = 0,
): Promise<ScriptedServer> {
  const seen: Seen[] = [];
  const left = new Map(Object.entries(script).map(([route, answers]) => [route, [...answers]]));
  const server = createServer(async (request, response) => {
    const route = `${request.method} ${request.url}`;
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    seen.push({ route, headers: request.headers, body: Buffer.concat(pieces) });
    const answers = left.get(route) ?? [{ status: 404, body: { detail: 'Not Found' } }];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (typeof answer === 'function') return answer(response);
    response.writeHead(answer?.status ?? 200, answer?.headers ?? {});
    response.end(JSON.stringify(answer?.body));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const chosen = (server.address() as AddressInfo).port;
  return {
    baseUrl: `http://127.0.0.1:${chosen}`,
    port: chosen,
    seen,
    routes: () => seen.map(({ route }) => route),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** What a trainer answers to an environment that joins, for scripts that are about something else. */
export const welcoming: Readonly<Record<string, readonly Scripted[]>> = {
  'POST /register-env': [
    {
      body: {
        status: 'success',
        env_id: 0,
        wandb_name: 'x_0',
        checkpoint_dir: '',
        starting_step: 0,
        checkpoint_interval: 10,
        num_steps: 100,
      },
    },
  ],
  'GET /status-env': [
    {
      body: {
        current_step: 0,
        queue_size: 0,
        unallocated_fraction: 1,
        self_queue_size: 0,
        max_group_size: 1,
        env_weight: 1,
      },
    },
  ],
  'GET /info': [{ body: { batch_size: 4, max_token_len: 512 } }],
  'POST /disconnect-env': [{ body: { status: 'success' } }],
};

import type { SandboxProvider } from '@hermes/sandbox';
import { createSandboxProvider } from '@hermes/sandbox-local';
import { onTestFinished } from 'vitest';
import {
  createSandboxServer,
  type SandboxServer,
  type SandboxServerOptions,
} from '../src/index.ts';

export const TOKEN = 'token-of-the-tests';

type Isolation = 'bubblewrap' | 'none';

export function openLocal(isolation: Isolation): Promise<SandboxProvider> {
  const openProvider = () => Promise.reject(new Error('no inner provider'));
  return createSandboxProvider({ isolation }, { openProvider });
}

/** A reply as it came. */
export type Reply = Readonly<{ status: number; body: Record<string, unknown>; headers: Headers }>;

/** Asks a server over its socket. */
export class Client {
  readonly url: string;
  readonly #token: string | null;

  constructor(url: string, token: string | null = TOKEN) {
    this.url = url;
    this.#token = token;
  }

  get(path: string): Promise<Reply> {
    return this.#send(path, { method: 'GET' });
  }

  post(path: string, body: unknown): Promise<Reply> {
    return this.#send(path, { method: 'POST', body: JSON.stringify(body) });
  }

  /** A body as it is written. */
  async #send(path: string, init: RequestInit): Promise<Reply> {
    const authorization = this.#token === null ? {} : { authorization: `Bearer ${this.#token}` };
    const headers = { 'content-type': 'application/json', ...authorization };
    const response = await fetch(this.url + path, { ...init, headers });
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body, headers: response.headers };
  }

  text(path: string, body: string): Promise<Reply> {
    return this.#send(path, { method: 'POST', body });
  }

  /** One tool in a slot; its answer. */
  async tool(
    tool: string,
    args: object,
    more: object = {},
  ): Promise<Record<string, unknown> & { metadata: Record<string, unknown>; output: string }> {
    const request = { slot_id: 'slot_0', tool, args, ...more };
    const { body } = await this.post('/execute', request);
    return body as never;
  }
}

/** A server that ends with the test. The provider in memory, which isolates nothing, is allowed. */
export async function startServer(
  provider: SandboxProvider,
  options: Partial<SandboxServerOptions> = {},
): Promise<{ server: SandboxServer; client: Client }> {
  const server = await createSandboxServer({
    provider,
    token: TOKEN,
    port: 0,
    slots: 3,
    insecureNoSandbox: provider.id === 'memory',
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, client: new Client(server.url) };
}

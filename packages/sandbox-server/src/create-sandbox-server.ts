import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxError } from '@hermes/sandbox';
import { systemEffects } from './_effects.ts';
import { handleRequest } from './http/handle-request.ts';
import { checkProvider } from './slots/check-provider.ts';
import { SlotTable } from './slots/slot-table.ts';
import type { SandboxServer, SandboxServerOptions, ServerLimits } from './types.ts';

const DEFAULT_LIMITS: ServerLimits = {
  outputChars: 50_000,
  fileChars: 100_000,
  artifactBytes: 5_000_000,
  entries: 5_000,
  bodyBytes: 16 * 1024 * 1024,
};

const LIFETIME_MS = 4 * 3_600_000;
const CLOSE_MS = 5_000;

/**
 * Starts a server that hands out the sandboxes of a provider as slots. Throws SandboxError CONFIG: no token, a provider that does not work
 * here or isolates nothing, a port that is taken.
 */
export async function createSandboxServer(options: SandboxServerOptions): Promise<SandboxServer> {
  const { provider, token, slots = 10, host = '127.0.0.1', port = 8080 } = options;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw config(
      'give a token of printable characters without blanks: who may call may run commands',
    );
  if (!Number.isInteger(slots) || slots < 1) throw config('slots: give a whole number above 0');
  const capabilities = await checkProvider(provider, options.insecureNoSandbox ?? false);
  const effects = systemEffects(options.effects);
  const table = new SlotTable({
    provider,
    capabilities,
    count: slots,
    spec: options.spec ?? {},
    lifetimeMs: options.lifetimeMs ?? LIFETIME_MS,
    effects,
  });
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const context = { table, token, limits, effects, newId: effects.newId };
  const server = createServer(
    (request, response) => void handleRequest(context, request, response),
  );
  const bound = await listen(server, host, port);
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= stop(server, table);
    return closing;
  };
  const url = `http://${addressOf(host)}:${bound}`;
  return { url, port: bound, close, [Symbol.asyncDispose]: close };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: Error) =>
      reject(
        config(`cannot listen on ${host}:${port}: ${cause.message}; choose another port`, cause),
      ),
    );
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** The slots end first: that ends the commands whose answers are still waited for. */
async function stop(server: Server, table: SlotTable): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await table.close();
  const overdue = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
  server.closeIdleConnections();
  await closed;
  clearTimeout(overdue);
}

/** Where a server on this host is reached from here. */
function addressOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function config(message: string, cause?: unknown): SandboxError {
  return new SandboxError('CONFIG', 'provider', `sandbox server: ${message}`, { cause });
}

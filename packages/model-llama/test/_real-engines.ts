import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openTokenEngine, type ServerType } from '@hermes/managed-server';
import type { TokenEngine } from '@hermes/protocol';
import { isExpected } from '@hermes/vitest-config/services';

/** An engine, and the end of it. */
export type OpenedEngine = Readonly<{ engine: TokenEngine; close(): Promise<void> }>;

/** How to serve a GGUF file and what lies beside it, by the engines that this machine shall have. */
export const realServers: Readonly<Record<string, (gguf: string) => Promise<OpenedEngine>>> = {
  ...(isExpected('llama-server') && {
    "on llama.cpp's server": (gguf) => serve('llama-server', 'llama_cpp', gguf),
  }),
  ...(isExpected('vllm') && { 'on vLLM': (gguf) => serve('vllm', 'vllm', dirname(gguf)) }),
  ...(isExpected('sglang') && { 'on SGLang': (gguf) => serve('sglang', 'sglang', dirname(gguf)) }),
};

/** Runs a service's own script until the engine is closed. */
async function serve(
  service: string,
  serverType: ServerType,
  model: string,
): Promise<OpenedEngine> {
  const script = fileURLToPath(new URL(`../../../tooling/services/${service}.sh`, import.meta.url));
  const port = await freePort();
  // A group of its own: some servers are several processes.
  const child = spawn('sh', [script, 'run', model, String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let errors = '';
  child.stderr.on('data', (piece) => {
    errors = (errors + piece).slice(-4000);
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    await untilHealthy(baseUrl, child);
    const { engine } = await openTokenEngine({ baseUrl, serverType });
    const close = async (): Promise<void> => {
      await engine.close?.();
      await end(child);
    };
    return { engine, close };
  } catch (cause) {
    await end(child);
    throw new Error(`${service} did not start: ${errors}`, { cause });
  }
}

async function untilHealthy(baseUrl: string, child: ChildProcess): Promise<void> {
  for (let look = 0; look < 4000 && child.exitCode === null; look += 1) {
    const answer = await fetch(`${baseUrl}/health`).catch(() => null);
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error('it does not answer');
}

async function end(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-pid, 'SIGTERM');
  const hard = setTimeout(() => process.kill(-pid, 'SIGKILL'), 20_000);
  await ended;
  clearTimeout(hard);
}

/** A port that nothing listens on just now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { defaultScript, writeAutomaton } from '@hermes/automaton';
import type { Tokenizer } from '@hermes/protocol';
import { loadTokenizer } from '@hermes/tokenizer';

/** llama.cpp's own server with a model that calls tools, again after a result with a chance of 0.8. */
export type LlamaServer = Readonly<{
  url: string;
  tokenizer: Tokenizer;
  close: () => Promise<void>;
}>;

const script = fileURLToPath(
  new URL('../../../../tooling/services/llama-server.sh', import.meta.url),
);

/** Starts the server of the cache on a free port. */
export async function startLlamaServer(): Promise<LlamaServer> {
  const dir = await mkdtemp(join(tmpdir(), 'hermes-llama-server-'));
  const { gguf } = await writeAutomaton(dir, { ...defaultScript, callAgain: 0.8 });
  const port = await freePort();
  const server = spawn('sh', [script, 'run', gguf, String(port)], { stdio: 'ignore' });
  const close = async () => {
    const ended = server.exitCode === null ? once(server, 'exit') : undefined;
    server.kill();
    await ended;
    await rm(dir, { recursive: true });
  };
  try {
    await answering(server, `http://127.0.0.1:${port}/health`);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, tokenizer: await loadTokenizer({ dir }), close };
}

async function answering(server: ChildProcess, url: string): Promise<void> {
  while (server.exitCode === null) {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error(`llama-server ended with ${server.exitCode}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@hermes/atropos/testing';
import { callText, defaultScript, writeAutomaton } from '@hermes/automaton';
import type { EnvironmentDefinition } from '@hermes/env-core';
import { isExpected } from '@hermes/vitest-config/services';
import { expect, it } from 'vitest';
import { noting } from './_live.ts';
import { hermes, inFolder, summaryOf } from './_run.ts';

const script = fileURLToPath(new URL('../../../tooling/services/llama-server.sh', import.meta.url));

it.runIf(isExpected('llama-server'))(
  "hermes process plays llama.cpp's own server, with tools, and writes its tokens",
  () =>
    inFolder(async (folder) => {
      const calls = [{ text: callText('note', { word: 'apple' }), weight: 1 }];
      const { gguf } = await writeAutomaton(join(folder, 'model'), { ...defaultScript, calls });
      const port = await freePort();
      const server = spawn('sh', [script, 'run', gguf, String(port)], { stdio: 'ignore' });
      try {
        await answering(server, `http://127.0.0.1:${port}/health`);
        const address = ['--base-url', `http://127.0.0.1:${port}`, '--model', 'openai:'];
        const argv = ['process', 'noting', ...address, '--tokenizer', 'model', '--json'];
        const ended = await hermes([...argv, '--format', 'tokens', '--out', 'out.jsonl'], {
          workingDirectory: folder,
          environments: [noting as EnvironmentDefinition],
        });
        expect(ended.code, ended.stderr).toBe(0);
        expect(ended.stderr).toContain('answers as llama_cpp');
        expect(summaryOf(ended)).toMatchObject({ passed: 1, errored: 0 });
        const line = JSON.parse(await readFile(join(folder, 'out.jsonl'), 'utf8'));
        const sampled = line.masks.filter((id: number) => id !== -100);
        expect(line.logprobs.filter((one: number) => one <= 0)).toHaveLength(sampled.length);
      } finally {
        const ended = server.exitCode === null ? once(server, 'exit') : undefined;
        server.kill();
        await ended;
      }
    }),
  120_000,
);

async function answering(server: ChildProcess, url: string): Promise<void> {
  while (server.exitCode === null) {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error(`llama-server ended with ${server.exitCode}`);
}

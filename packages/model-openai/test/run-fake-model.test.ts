import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const command = fileURLToPath(new URL('../bin/hermes-fake-model.js', import.meta.url));
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fake-model-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('serves a script by hand until it is interrupted', async () => {
  const script = join(folder, 'script.json');
  await writeFile(script, JSON.stringify(['From the file.']));
  const args = ['--conditions=@hermes/source', '--import', 'tsx', command, script, '--key', 'k'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(child.stdout, 'data');
    const baseUrl = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(String(line))?.[0];
    const ask = (key: string) =>
      fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: '{}',
      });
    expect((await ask('other')).status).toBe(401);
    expect(await (await ask('k')).text()).toContain('From the file.');
  } finally {
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }
}, 60_000);

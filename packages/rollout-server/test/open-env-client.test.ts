import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isExpected, pythonCommand } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { openServer } from './_server.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('./_openenv_client.py', import.meta.url));

describe.runIf(isExpected('openenv-core'))('the client of openenv-core 0.3.0', () => {
  it('plays episodes, asks for states and sees errors, with the token in its address', async () => {
    const { server, ask } = await openServer({ token: 'secret' });
    const url = server.baseUrl.replace('://', '://trainer:secret@');
    const { stdout } = await run(pythonCommand, [script, url]);
    expect(JSON.parse(stdout)).toEqual({
      played: {
        before: null,
        early: expect.stringContaining('SESSION_ERROR'),
        results: [
          { roles: ['user'], reward: null, done: false },
          { roles: ['tool'], reward: null, done: false },
          { roles: [], reward: 1, done: true },
        ],
        state: {
          episode_id: 'mine',
          step_count: 2,
          environment: 'plain',
          item_id: 'item-1',
          done: true,
        },
        wrong: expect.stringContaining('VALIDATION_ERROR'),
      },
      in_step: { roles: [], reward: 0, done: true },
    });
    await expect.poll(async () => (await ask('/health')).body.sessions).toBe(0);
  });
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isExpected, pythonCommand } from '@hermes/vitest-config/services';
import { describe, expect, it } from 'vitest';
import { createTrajectoryServer } from '../src/index.ts';

const script = fileURLToPath(new URL('fixtures/python/original_client.py', import.meta.url));
const run = promisify(execFile);

describe.runIf(isExpected('atroposlib'))(
  "the client code of atroposlib 0.4.0, the environment's side and the trainer's",
  () => {
    for (const mode of ['compat', 'strict'] as const)
      it(`trains through the trajectory server, ${mode}`, { timeout: 60_000 }, async () => {
        await using server = await createTrajectoryServer({ port: 0, mode });
        const { stdout } = await run(pythonCommand, [script, server.baseUrl]);
        expect(JSON.parse(stdout)).toEqual({
          reachable: true,
          first: { batch: null },
          registered: {
            status: 'success',
            env_id: 0,
            wandb_name: 'original_0',
            checkpoint_dir: 'checkpoints',
            starting_step: 0,
            checkpoint_interval: 3,
            num_steps: 7,
          },
          status: {
            current_step: 0,
            queue_size: 2,
            unallocated_fraction: 1,
            self_queue_size: 2,
            max_group_size: 2,
            env_weight: 1,
          },
          batch: [
            { first: 100, length: 3, scores: [0, 1], keys: 14, env_id: 0 },
            { first: 200, length: 800, scores: [0, 1], keys: 14, env_id: 0 },
          ],
          floats: true,
        });
      });
  },
);

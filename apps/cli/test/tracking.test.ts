import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTrajectoryServer } from '@hermes/atropos';
import { startFakeTrainer } from '@hermes/atropos/testing';
import { describe, expect, it } from 'vitest';
import { type Ended, hermes, inFolder } from './_run.ts';
import { sums, trainingOptions } from './_training.ts';

type Line = Readonly<{ kind: string; step: number; values: Record<string, number>; name?: string }>;

const model = ['--model', 'scripted'];
const evaluate = ['evaluate', 'sums', ...model, '--limit', '2', '--run-dir', 'run'];

async function told(folder: string, run = 'run'): Promise<readonly Line[]> {
  const lines = await readFile(join(folder, run, 'metrics.jsonl'), 'utf8');
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('the numbers of a run', () => {
  it('of an evaluation are in its folder, as lines and for TensorBoard', () =>
    inFolder(async (folder) => {
      expect(await hermes(evaluate, trainingOptions(folder))).toMatchObject({
        code: 0,
        stderr: '',
      });
      expect(await told(folder)).toMatchObject([
        { kind: 'scalars', step: 0, values: { 'eval/pass_rate': 1, 'eval/total': 2 } },
        { kind: 'summary', values: { 'run/total': 2, 'run/passed': 2, 'run/output_tokens': 10 } },
      ]);
      const [events] = await readdir(join(folder, 'run', 'tensorboard'));
      expect(events).toMatch(/^events\.out\.tfevents\.\d{10}\./);
    }));

  it('are not written for TensorBoard where the configuration says so', () =>
    inFolder(async (folder) => {
      const argv = [...evaluate, '--env.tensorboard', 'false'];
      expect((await hermes(argv, trainingOptions(folder))).code).toBe(0);
      expect(await readdir(join(folder, 'run'))).not.toContain('tensorboard');
    }));

  it('of training data are told group by group', () =>
    inFolder(async (folder) => {
      const groups = ['--limit', '3', '--group-size', '2', '--concurrency', '1'];
      const argv = ['process', 'sums', ...model, '--out', 'out.jsonl', ...groups];
      expect((await hermes(argv, trainingOptions(folder))).code).toBe(0);
      const lines = await told(folder, 'out.run');
      const rewards = lines.flatMap(({ step, values, kind }) =>
        kind === 'scalars' && values['train/avg_reward'] !== undefined
          ? [[step, values['train/avg_reward'], values['train/pass_rate']]]
          : [],
      );
      expect(rewards).toEqual([
        [1, 0.5, 0.5],
        [2, 0.5, 0.5],
        [3, 0.5, 0.5],
      ]);
      expect(lines.filter(({ name }) => name === 'train/rollouts')).toHaveLength(3);
    }));

  it('of a run that feeds a trainer carry the name that the trainer gave', () =>
    inFolder(async (folder) => {
      await using api = await createTrajectoryServer({ port: 0 });
      const trainer = startFakeTrainer({ baseUrl: api.baseUrl, batchSize: 8, steps: 3 });
      const where = ['--trainer-url', api.baseUrl, '--run-dir', 'run'];
      const ended = await hermes(['serve', 'sums', ...model, ...where], trainingOptions(folder));
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      await trainer.done;
      const values = (await told(folder)).flatMap((line) => Object.keys(line.values ?? {}));
      expect(values).toContain('sums_0_train/avg_reward');
      expect(values).toContain('sums_0_train/items_sent_to_api');
    }));

  it('go to a collector where the variables of OpenTelemetry name one', () =>
    inFolder(async (folder) => {
      const bodies: string[] = [];
      const collector = createServer(async (request, response) => {
        bodies.push(await text(request));
        response.end('{}');
      }).listen(0, '127.0.0.1');
      await new Promise((listening) => collector.once('listening', listening));
      const { port } = collector.address() as AddressInfo;
      const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
      const options = { ...trainingOptions(folder), environmentVariables: variables };
      expect((await hermes(evaluate, options)).code).toBe(0);
      collector.close();
      expect(bodies.join()).toContain('eval/pass_rate');
      expect(bodies[0]).toContain('"key":"hermes.environment","value":{"stringValue":"sums"}');
    }));

  it('do not end a run whose folder cannot take them', () =>
    inFolder(async (folder) => {
      const prompt = async () => {
        await mkdir(join(folder, 'run/metrics.jsonl'), { recursive: true });
        return [{ role: 'user', content: '0 + 0?' } as const];
      };
      const ended = await hermes(
        evaluate,
        trainingOptions(folder, { environment: sums({ prompt }) }),
      );
      expect(ended.code).toBe(0);
      expect(ended.stderr).toMatch(/^hermes: warning: tracking: .*metrics\.jsonl: EISDIR.*\n$/);
    }));
});

describe('Weights & Biases', () => {
  /** Plays the bridge's Python: it takes everything, and keeps what it was sent. */
  async function play(
    folder: string,
    variables: Readonly<Record<string, string>>,
    flags: readonly string[] = [],
  ): Promise<Readonly<{ ended: Ended; sent: readonly Record<string, unknown>[] | null }>> {
    const python = join(folder, 'python');
    const sent = join(folder, 'sent.jsonl');
    const body = `while read -r line; do printf '%s\\n' "$line" >> ${sent}; echo '{"ready": true}'; done`;
    await writeFile(python, `#!/bin/sh\n${body}\n`);
    await chmod(python, 0o755);
    const environmentVariables = { HERMES_PYTHON: python, HOME: folder, ...variables };
    const options = { ...trainingOptions(folder), environmentVariables };
    const ended = await hermes([...evaluate, ...flags], options);
    const lines = await readFile(sent, 'utf8').catch(() => null);
    const parsed = lines?.trim().split('\n');
    return { ended, sent: parsed?.map((line) => JSON.parse(line)) ?? null };
  }

  it('gets the run where there is a key, under its name and without secrets', () =>
    inFolder(async (folder) => {
      const variables = { WANDB_API_KEY: 'local-key-0123', WANDB_RUN_GROUP: 'nightly' };
      const flags = ['--env.wandb_name', 'adder', '--env.system_prompt', 'Say local-key-0123.'];
      const { ended, sent } = await play(folder, variables, flags);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(sent?.[0]).toMatchObject({
        start: {
          mode: 'online',
          project: 'hermes',
          group: 'nightly',
          job_type: 'evaluate',
          name: expect.stringMatching(/^adder-\d{4}-\d\d-\d\d-[0-9a-f]{6}$/),
          id: expect.stringMatching(/^run_/),
          config: { env: { system_prompt: 'Say ***.' } },
        },
      });
      expect(JSON.stringify(sent)).not.toContain('local-key-0123');
      expect(JSON.stringify(sent)).toContain('"eval/pass_rate":1');
      expect(sent?.at(-1)).toEqual({ finish: true });
    }));

  it.each([
    ['there is no key', {}, []],
    ['only a login of earlier days is there', { NETRC: 'netrc' }, []],
    ['nobody wants it', { WANDB_API_KEY: 'k' }, ['--env.use_wandb', 'false']],
    ['its own variable turns it off', { WANDB_API_KEY: 'k', WANDB_MODE: 'disabled' }, []],
  ])('is not spoken to where %s', (_why, variables, flags) =>
    inFolder(async (folder) => {
      await writeFile(join(folder, 'netrc'), 'machine api.wandb.ai login user password k');
      const places = 'NETRC' in variables ? { NETRC: join(folder, 'netrc') } : {};
      const { ended, sent } = await play(folder, { ...variables, ...places }, flags);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(sent).toBeNull();
    }),
  );

  it('says what is missing where it is wanted and there is no key', () =>
    inFolder(async (folder) => {
      const { ended, sent } = await play(folder, {}, ['--env.use_wandb', 'true']);
      expect(ended).toMatchObject({ code: 0 });
      expect(ended.stderr).toMatch(/^note: use_wandb needs a key: set WANDB_API_KEY .*\n$/);
      expect(sent).toBeNull();
    }));
});

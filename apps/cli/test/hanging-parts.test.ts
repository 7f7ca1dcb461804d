import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createTrajectoryServer } from '@hermes/atropos';
import { startFakeTrainer } from '@hermes/atropos/testing';
import { createMemorySandboxProvider, type SandboxProvider } from '@hermes/sandbox';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hermes, inFolder } from './_run.ts';
import { sums, trainingOptions } from './_training.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const forever = () => new Promise<never>(() => undefined);
const fails = async () => {
  throw new Error('it broke');
};

type Step = 'open' | 'preflight' | 'reap' | 'create' | 'dispose' | 'close';

/** A provider of which one step does something else. */
async function faulty(step: Step, fault: () => Promise<never>): Promise<SandboxProvider> {
  if (step === 'open') return fault();
  const inner = createMemorySandboxProvider();
  if (step !== 'dispose') return { ...inner, [step]: fault };
  return {
    ...inner,
    create: async (...given) => ({ ...(await inner.create(...given)), dispose: fault }),
  };
}

/** `hermes process` of one item in sandboxes of such a provider. onStep: told when the step is reached. */
async function processWith(
  step: Step,
  fault: () => Promise<never>,
  folder: string,
  signal = new AbortController().signal,
) {
  vi.stubGlobal('faultyProvider', () => faulty(step, fault));
  const module = 'export const createSandboxProvider = () => globalThis.faultyProvider();';
  await writeFile(join(folder, 'provider.mjs'), module);
  const argv = ['process', 'sums', '--model', 'scripted', '--sandbox', './provider.mjs'];
  const rest = ['--out', 'out.jsonl', '--limit', '1', '--max-tries', '1'];
  const environment = sums({ sandbox: () => ({}) });
  return hermes([...argv, ...rest], { ...trainingOptions(folder, { environment }), signal });
}

describe('a sandbox provider', () => {
  it.each<[Step, number, string]>([
    ['open', 1, 'it broke'],
    ['preflight', 1, 'it broke'],
    ['reap', 0, 'could not look for sandboxes of dead runs: Error: it broke'],
    ['create', 1, 'no line was written'],
    ['dispose', 0, 'it broke'],
    ['close', 0, 'warning: closing the sandbox provider failed: it broke'],
  ])('that breaks at %s ends with %i and says so', (step, code, said) =>
    inFolder(async (folder) => {
      const ended = await processWith(step, fails, folder);
      expect(ended.code, ended.stderr).toBe(code);
      expect(ended.stderr).toContain(said);
    }),
  );

  it.each<Step>(['open', 'preflight', 'reap', 'create'])(
    'that hangs at %s does not keep the command from ending when it is told to',
    (step) =>
      inFolder(async (folder) => {
        const stop = new AbortController();
        const hang = () => {
          stop.abort(new Error('interrupted'));
          return forever();
        };
        const ended = await processWith(step, hang, folder, stop.signal);
        expect(ended.code).toBe(130);
      }),
  );
});

type Fault = (answer: ServerResponse) => void;

/** A trajectory API in front of a real one, whose first answer at a path is a fault. */
async function startFaultyApi(target: string, path: string, fault: Fault) {
  let isDue = true;
  const server = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    if (asked.url === path && isDue) {
      isDue = false;
      return fault(answer);
    }
    const { method = 'GET', url = '/', headers } = asked;
    const onward = request(new URL(url, target), { method, headers, agent: false }, (found) =>
      found.pipe(answer.writeHead(found.statusCode ?? 502, found.headers)),
    );
    onward.once('error', () => answer.destroy());
    asked.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const routes = ['/register-env', '/info', '/status-env', '/scored_data', '/disconnect-env'];

/** `hermes serve` against such an API. */
async function serveWith(
  path: string,
  fault: Fault,
  folder: string,
  signal = new AbortController().signal,
) {
  await using api = await createTrajectoryServer({ port: 0 });
  await using trainer = startFakeTrainer({ baseUrl: api.baseUrl, batchSize: 8, steps: 2 });
  await trainer.started;
  await using front = await startFaultyApi(api.baseUrl, path, fault);
  const argv = ['serve', 'sums', '--model', 'scripted', '--trainer-url', front.baseUrl];
  return await hermes(argv, { ...trainingOptions(folder), signal }); // awaited: the servers have to outlive it
}

describe('a trainer', () => {
  it.each(routes)('that dies once at %s is asked again', (path) =>
    inFolder(async (folder) => {
      const ended = await serveWith(path, (answer) => answer.destroy(), folder);
      expect(ended.code, ended.stderr).toBe(0);
    }),
  );

  it.each(routes)(
    'that hangs at %s does not keep the command from ending when it is told to',
    (path) =>
      inFolder(async (folder) => {
        const stop = new AbortController();
        const hang = () => stop.abort(new Error('interrupted'));
        const ended = await serveWith(path, hang, folder, stop.signal);
        expect(ended.code).toBe(130);
      }),
  );
});

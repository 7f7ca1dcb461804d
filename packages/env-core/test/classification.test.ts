import type { ChatModel, ErroredReason, ModelErrorCode } from '@hermes/protocol';
import { HermesError, ModelError } from '@hermes/protocol';
import { fakeClock, scriptedModel, testEffects } from '@hermes/protocol/testing';
import type { SandboxErrorCode, SandboxProvider } from '@hermes/sandbox';
import { createMemorySandboxProvider, SandboxError } from '@hermes/sandbox';
import { expect, it } from 'vitest';
import type { Environment, RunOptions, Verdict } from '../src/index.ts';
import { openOracle, runRollout } from '../src/index.ts';
import { deferred, optionsOf, plainEnvironment, trialOf } from './_support/harness.ts';

const answers = () => scriptedModel('Done.');
const once = { maxTries: 1 };

async function causeOf(changes: Partial<Parameters<typeof optionsOf>[0]>): Promise<string> {
  const record = await runRollout(optionsOf({ open: answers, retry: once, ...changes }), trialOf());
  return record.status === 'errored' ? nameOf(record.errored) : `reward ${record.reward.reward}`;
}

function nameOf(errored: { reason: ErroredReason; cause: string }): string {
  return `${errored.reason}/${errored.cause}`;
}

function environment(changes: Partial<Environment<number>>): Partial<RunOptions<number>> {
  return { environment: plainEnvironment(changes) };
}

function sandboxed(changes: Partial<Environment<number>> = {}): Partial<RunOptions<number>> {
  return {
    environment: plainEnvironment({ sandbox: () => ({}), ...changes }),
    sandboxes: createMemorySandboxProvider(),
  };
}

it.each<[ModelErrorCode, string]>([
  ['AUTH', 'model/model_auth'],
  ['RATE_LIMIT', 'model/model_rate_limit'],
  ['CONNECTION', 'model/model_unreachable'],
  ['TIMEOUT', 'model/model_timeout'],
  ['BAD_REQUEST', 'model/model_bad_request'],
  ['NOT_FOUND', 'model/model_bad_request'],
  ['UNSUPPORTED', 'model/model_bad_request'],
  ['SERVER', 'model/model_server'],
  ['STREAM_CUT', 'model/model_stream_cut'],
  ['BAD_RESPONSE', 'model/model_bad_response'],
  ['EMPTY_RESPONSE', 'model/model_bad_response'],
  ['TOKENS_INVALID', 'model/tokens_invalid'],
  ['TOKENS_MISSING', 'model/tokens_missing'],
])('blames the model for %s', async (code, cause) => {
  expect(await causeOf({ open: () => scriptedModel({ error: code }) })).toBe(cause);
});

it('blames the model when it cannot even be opened', async () => {
  const open = () => {
    throw new ModelError('AUTH', 'no key');
  };
  expect(await causeOf({ open })).toBe('model/model_auth');
});

it('verifies an agent whose context is full: that is its own limit', async () => {
  expect(await causeOf({ open: () => scriptedModel({ error: 'CONTEXT_OVERFLOW' }) })).toBe(
    'reward 1',
  );
});

it.each<[SandboxErrorCode, string]>([
  ['CONFIG', 'sandbox/sandbox_unsupported'],
  ['UNSUPPORTED', 'sandbox/sandbox_unsupported'],
  ['AUTH', 'sandbox/sandbox_auth'],
  ['QUOTA', 'sandbox/sandbox_quota'],
  ['CAPACITY', 'sandbox/sandbox_capacity'],
  ['IMAGE_NOT_FOUND', 'sandbox/image_pull'],
  ['IMAGE_PULL_FAILED', 'sandbox/image_pull'],
  ['IMAGE_BUILD_FAILED', 'sandbox/image_build'],
  ['NETWORK_SETUP', 'sandbox/env_network'],
  ['PROVISION_TIMEOUT', 'sandbox/env_start_timeout'],
  ['TRANSPORT', 'sandbox/sandbox_lost'],
  ['PROTOCOL', 'sandbox/sandbox_lost'],
  ['SANDBOX_UNHEALTHY', 'sandbox/sandbox_lost'],
])('blames the sandbox for %s at its creation', async (code, cause) => {
  const create = () => Promise.reject(new SandboxError(code, 'request', 'injected'));
  const sandboxes: SandboxProvider = { ...createMemorySandboxProvider(), create };
  expect(await causeOf({ ...sandboxed(), sandboxes })).toBe(cause);
});

it('gives up a sandbox that does not start in time, and removes it when it comes late', async () => {
  const clock = fakeClock();
  const inner = createMemorySandboxProvider();
  const gate = deferred<void>();
  const disposed = deferred<string | undefined>();
  const sandboxes: SandboxProvider = {
    ...inner,
    create: async (spec) => {
      await gate.promise;
      const sandbox = await inner.create(spec);
      const dispose = (reason?: string) => {
        disposed.resolve(reason);
        return sandbox.dispose(reason);
      };
      return { ...sandbox, dispose };
    },
  };
  const effects = { ...testEffects(), clock };
  const limits = { startMs: 5_000 };
  const cause = causeOf({ ...sandboxed(), sandboxes, effects, limits });
  await clock.advance(5_000);
  expect(await cause).toBe('sandbox/env_start_timeout');
  gate.resolve();
  expect(await disposed.promise).toBe('abandoned');
});

it('needs a provider where the environment needs a sandbox', async () => {
  expect(await causeOf({ ...sandboxed(), sandboxes: null })).toBe('sandbox/sandbox_unsupported');
});

it('refuses an item whose sandbox needs more than the provider has', async () => {
  const sandbox = () => ({ capabilities: { shell: true } });
  expect(await causeOf(sandboxed({ sandbox }))).toBe('sandbox/sandbox_unsupported');
});

it('says path_unavailable, and which sandboxes would do, where absolute places are missing', async () => {
  const memory = createMemorySandboxProvider();
  const capabilities = { ...memory.capabilities, absolutePaths: false };
  const preflight = async () => ({ ok: true, problems: [], capabilities });
  const sandboxes = { ...memory, preflight, capabilities };
  const record = await runRollout(
    optionsOf({
      open: answers,
      ...sandboxed({ sandbox: () => ({ capabilities: { absolutePaths: true } }) }),
      sandboxes,
    }),
    trialOf(),
  );
  expect(record).toMatchObject({
    errored: {
      cause: 'path_unavailable',
      error: { message: expect.stringMatching(/bubblewrap.*containers/) },
    },
  });
});

it.each([
  ['PATH_UNAVAILABLE', 'environment/path_unavailable'],
  ['ITEM_INVALID', 'environment/item_invalid'],
  ['ANYTHING', 'environment/item_invalid'],
])('keeps the cause %s that an environment gives when it refuses an item', async (code, cause) => {
  const sandbox = () => {
    throw new HermesError('environment', code, 'refused');
  };
  expect(await causeOf(sandboxed({ sandbox }))).toBe(cause);
});

it('blames the environment for a prompt that cannot be made', async () => {
  const prompt = () => {
    throw new Error('no column');
  };
  expect(await causeOf(environment({ prompt }))).toBe('environment/prompt_failed');
});

it('blames the environment for a workspace that cannot be made', async () => {
  const setupWorkspace = () => Promise.reject(new Error('no file'));
  expect(await causeOf(sandboxed({ setupWorkspace }))).toBe('environment/setup_failed');
});

it('blames the environment for a workspace that is not ready in time', async () => {
  const clock = fakeClock();
  const effects = { ...testEffects(), clock };
  const setupWorkspace = () => new Promise<void>(() => undefined);
  const cause = causeOf({ ...sandboxed({ setupWorkspace }), effects, limits: { setupMs: 1_000 } });
  await clock.advance(1_000);
  expect(await cause).toBe('environment/setup_failed');
});

it('blames the sandbox, not the author, for a sandbox that is lost in setup', async () => {
  const setupWorkspace: Environment['setupWorkspace'] = async () => {
    throw new SandboxError('SANDBOX_GONE', 'sandbox', 'gone');
  };
  expect(await causeOf(sandboxed({ setupWorkspace }))).toBe('sandbox/sandbox_lost');
});

it('notices that the sandbox died although the agent went on', async () => {
  const sandboxes = createMemorySandboxProvider();
  const open = () =>
    scriptedModel(async () => {
      for await (const ref of sandboxes.list()) await sandboxes.destroy(ref);
      return 'I saw nothing.';
    });
  expect(await causeOf({ ...sandboxed(), sandboxes, open })).toBe('sandbox/sandbox_lost');
});

it('has no solution to play', async () => {
  expect(await causeOf({ open: openOracle })).toBe('environment/solution_missing');
  expect(await causeOf({ open: openOracle, ...environment({ solution: async () => null }) })).toBe(
    'environment/solution_missing',
  );
});

it.each<[string, () => Promise<Verdict>, string]>([
  ['a throw', () => Promise.reject(new Error('bug')), 'verifier/reward_threw'],
  [
    'a lost sandbox',
    () => Promise.reject(new SandboxError('SANDBOX_GONE', 'sandbox', 'x')),
    'sandbox/sandbox_lost',
  ],
  ['a failed judge', () => Promise.reject(new ModelError('SERVER', 'x')), 'model/model_server'],
  [
    'a bad exec',
    () => Promise.reject(new SandboxError('EXEC_NOT_STARTED', 'request', 'x')),
    'verifier/reward_threw',
  ],
  [
    'a named cause',
    () => Promise.reject(new HermesError('verifier', 'TESTS_UPLOAD', 'x')),
    'verifier/tests_upload',
  ],
  ['NaN', async () => Number.NaN, 'verifier/reward_unparsable'],
  ['infinity', async () => Number.POSITIVE_INFINITY, 'verifier/reward_unparsable'],
  [
    'a key that is not finite',
    async () => ({ kind: 'reward', reward: 1, resolved: true, rewards: { a: Number.NaN } }),
    'verifier/reward_unparsable',
  ],
  ['nothing', async () => undefined as unknown as Verdict, 'verifier/reward_missing'],
  [
    'no score',
    async () => ({ kind: 'could_not_score', cause: 'verifier_setup', message: 'no uv' }),
    'verifier/verifier_setup',
  ],
  [
    'no valid item',
    async () => ({ kind: 'could_not_score', cause: 'item_invalid', message: 'x' }),
    'environment/item_invalid',
  ],
  ['an honest zero', async () => 0, 'reward 0'],
])('tells %s of a verifier apart', async (_name, computeReward, cause) => {
  expect(await causeOf(environment({ computeReward }))).toBe(cause);
});

it('ends a verifier that does not come back', async () => {
  const clock = fakeClock();
  const effects = { ...testEffects(), clock };
  const computeReward = () => new Promise<Verdict>(() => undefined);
  const limits = { verifyMs: 2_000 };
  const cause = causeOf({ ...environment({ computeReward }), effects, limits });
  await clock.advance(2_000);
  expect(await cause).toBe('verifier/verifier_timeout');
});

it('ends a rollout at its own deadline, whatever it is doing', async () => {
  const clock = fakeClock();
  const effects = { ...testEffects(), clock };
  const open = () => scriptedModel({ hang: true });
  const cause = causeOf({ open, effects, limits: { rolloutMs: 9_000 } });
  await clock.advance(9_000);
  expect(await cause).toBe('timeout/rollout_deadline');
});

it.each([
  ['a prompt', { ...environment({ prompt: () => new Promise(() => undefined) }) }],
  ['a model', { open: () => new Promise<ChatModel>(() => undefined) }],
])('ends a rollout at its own deadline also where %s never comes', async (_what, changes) => {
  const clock = fakeClock();
  const effects = { ...testEffects(), clock };
  const cause = causeOf({ ...changes, effects, limits: { rolloutMs: 9_000 } });
  await clock.advance(9_000);
  expect(await cause).toBe('timeout/rollout_deadline');
});

it('closes a model that opens after its rollout was cancelled', async () => {
  const controller = new AbortController();
  const model = scriptedModel('too late');
  let open: () => void = () => undefined;
  const opening = new Promise<ChatModel>((resolve) => {
    open = () => resolve(model);
  });
  const cause = causeOf({
    signal: controller.signal,
    open: () => {
      controller.abort();
      return opening;
    },
  });
  expect(await cause).toBe('cancelled/run_cancelled');
  open();
  await expect.poll(() => model.closed).toBe(true);
});

it('says cancelled for everything that an abort of the run brings down', async () => {
  const controller = new AbortController();
  const open = () =>
    scriptedModel(() => {
      controller.abort();
      return { hang: true };
    });
  expect(await causeOf({ open, signal: controller.signal })).toBe('cancelled/run_cancelled');
});

it('verifies after the agent ran out of its own time, and says so', async () => {
  const clock = fakeClock();
  const record = runRollout(
    optionsOf({
      open: () => scriptedModel({ content: 'half an answer', hang: true }),
      effects: { ...testEffects(), clock },
      limits: { agent: { deadlineMs: 3_000 } },
    }),
    trialOf(),
  );
  await clock.advance(3_000);
  expect(await record).toMatchObject({
    status: 'completed',
    agentTimedOut: true,
    reward: { reward: 1, resolved: true },
  });
});

it('blames the server where nothing came from the model in all the time of the agent', async () => {
  const clock = fakeClock();
  const cause = causeOf({
    open: () => scriptedModel({ hang: true }),
    effects: { ...testEffects(), clock },
    limits: { agent: { deadlineMs: 3_000 } },
  });
  await clock.advance(3_000);
  expect(await cause).toBe('model/model_timeout');
});

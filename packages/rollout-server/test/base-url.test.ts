import { startGateway } from '@hermes/gateway';
import { createOpenAiModel } from '@hermes/model-openai';
import { scriptedTokenModel } from '@hermes/protocol/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openServer, textOf } from './_server.ts';

it("plays against a trainer's own gateway, where the tokens are recorded", async () => {
  const gateway = await startGateway({
    backend: { modelId: 'policy', open: () => scriptedTokenModel('right') },
    token: 'secret',
  });
  onTestFinished(() => gateway.close());
  const { ask } = await openServer({
    openModel: ({ base_url, model, api_key }) => {
      const modelId = String(model);
      const server = { baseUrl: String(base_url), apiKey: String(api_key) };
      const client = createOpenAiModel({ ...server, model: modelId });
      return { provider: 'openai', modelId, open: () => client };
    },
  });
  const model = {
    base_url: `${gateway.baseUrl}/run-7/v1`,
    model: 'policy',
    api_key: gateway.sessionKey('run-7'),
  };
  const [rollout] = (await ask('/rollouts', { index: 0, model })).body.rollouts;
  expect(rollout).toMatchObject({ reward: 1, trainable: false });
  const ids = gateway.segments('run-7')?.flatMap((segment) => segment.ids) ?? [];
  expect(textOf(ids)).toContain('Do item-0.');
});

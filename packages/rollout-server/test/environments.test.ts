import { testEffects } from '@hermes/protocol/testing';
import { expect, it } from 'vitest';
import { startRolloutServer } from '../src/index.ts';
import { openServer, plainDefinition, scripted } from './_server.ts';

it('lists environments and their items page by page', async () => {
  const { ask } = await openServer();
  expect((await ask('/environments')).body).toMatchObject({
    environments: [{ id: 'plain', version: '1.0.0', takes_rows: false }],
  });
  expect((await ask('/environments/plain/items?start=1&limit=1')).body).toEqual({
    items: [{ item_id: 'item-1', index: 1, tags: {} }],
    next_start: 2,
  });
  expect((await ask('/environments/plain/items?limt=1')).body.error.message).toContain('limt');
});

it('finds items whatever their id is made of', async () => {
  const id = 'a/b c%é';
  const definition = plainDefinition(
    {
      items: async function* () {
        yield { id, data: 0 };
      },
    },
    id,
  );
  const { ask } = await openServer({ environments: [{ definition, config: {} }] });
  expect((await ask(`/environments/${encodeURIComponent(id)}/items`)).status).toBe(200);
  const [rollout] = (await ask('/rollouts', { environment: id, item_id: id })).body.rollouts;
  expect(rollout.item_id).toBe(id);
});

it('plays an environment that is open already, and leaves it open', async () => {
  const closed: string[] = [];
  const definition = plainDefinition({ close: async () => void closed.push('mine') });
  const context = { effects: testEffects(), signal: AbortSignal.timeout(1_000), judge: null };
  const environment = await definition.open({}, context);
  const served = { definition, environment, configDigest: 'd1' };
  const { server, ask } = await openServer({ environments: [served] });
  expect((await ask('/environments')).body).toMatchObject({
    environments: [{ config_digest: 'd1' }],
  });
  expect((await ask('/rollouts', { index: 0 })).body.rollouts[0].reward).toBe(1);
  await server.close();
  expect(closed).toEqual([]);
});

it('closes its environments with the server, and those that were opened before one that fails', async () => {
  const closed: string[] = [];
  const closing = (id: string) => plainDefinition({ close: async () => void closed.push(id) }, id);
  const { server } = await openServer({ environments: [{ definition: closing('a'), config: {} }] });
  await server.close();
  expect(closed).toEqual(['a']);
  const twice = [closing('b'), closing('b')].map((definition) => ({ definition, config: {} }));
  const starting = startRolloutServer({
    environments: twice,
    openModel: scripted('right'),
    run: { sandboxes: null, sinks: [] },
  });
  await expect(starting).rejects.toThrow('two environments are called b');
  expect(closed).toEqual(['a', 'b']);
});

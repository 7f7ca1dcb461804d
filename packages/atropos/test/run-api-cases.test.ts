import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createTrajectoryServer, type TrajectoryServer } from '../src/index.ts';
import { type RunApi, runApiCases } from '../src/testing/index.ts';
import { startRunApi } from './_support/run-api.ts';

for (const mode of ['compat', 'strict'] as const) {
  describe(`the trajectory server, ${mode}`, () => {
    let shared: TrajectoryServer;
    beforeAll(async () => {
      shared = await createTrajectoryServer({ port: 0, mode });
    });
    afterAll(() => shared.close());

    for (const { number, title, needsFreshServer, run } of runApiCases)
      it(`${number}: ${title}`, async () => {
        const options = { mode, takesIdFromQuery: true };
        if (!needsFreshServer) return run({ ...options, baseUrl: shared.baseUrl });
        await using fresh = await createTrajectoryServer({ port: 0, mode });
        await run({ ...options, baseUrl: fresh.baseUrl });
      });
  });
}

describe.runIf(isExpected('atroposlib'))('the run-api of atroposlib 0.4.0', () => {
  let shared: RunApi;
  beforeAll(async () => {
    shared = await startRunApi();
  }, 60_000);
  afterAll(() => shared.kill());

  for (const { number, title, needsFreshServer, run } of runApiCases)
    it(`${number}: ${title}`, { timeout: 60_000 }, async () => {
      const options = { mode: 'compat', takesIdFromQuery: false } as const;
      if (!needsFreshServer) return run({ ...options, baseUrl: shared.baseUrl });
      await using fresh = await startRunApi();
      await run({ ...options, baseUrl: fresh.baseUrl });
    });
});

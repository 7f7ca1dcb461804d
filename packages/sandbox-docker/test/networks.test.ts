import type { SandboxProvider } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUSYBOX, codeOf, create, docker, openProvider, output } from './_docker.ts';

/** Docker's own pools of addresses hold about thirty networks. */
const MANY = 34;

describe.runIf(isExpected('docker'))('the network of a sandbox', { timeout: 180_000 }, () => {
  let provider: SandboxProvider;
  beforeAll(async () => {
    provider = await openProvider({ image: BUSYBOX });
  });
  afterAll(() => provider.close());

  it('that is open is the one that all share: more of them at once than Docker has address pools', async () => {
    const names = async () => (await docker.listNetworks()).map(({ Name }) => Name).sort();
    const before = await names();
    const spec = { network: { mode: 'open' } } as const;
    const sandboxes = await Promise.all(Array.from({ length: MANY }, () => create(provider, spec)));
    try {
      const routes = await Promise.all(sandboxes.map((one) => output(one, 'ip -4 -o addr')));
      const addresses = routes.map((text) => /eth0\s+inet (\S+)\//.exec(text)?.[1]);
      expect(new Set(addresses).size).toBe(MANY);
      expect(await names()).toEqual(before);
    } finally {
      await Promise.all(sandboxes.map((sandbox) => sandbox.dispose()));
    }
  });

  it('is none unless the spec says otherwise', async () => {
    await using sandbox = await create(provider);
    expect(await output(sandbox, 'ip -4 -o addr | grep -v " lo "; ip route')).toBe('');
  });

  it('with exceptions is refused in one sentence, since nothing here would enforce it', async () => {
    const network = { mode: 'allowlist', hosts: ['example.org'] } as const;
    const refused = create(provider, { network });
    expect(await codeOf(refused)).toBe('UNSUPPORTED');
    await expect(refused).rejects.toThrow(/docker cannot give network allowlist/);
  });

  it('that the daemon does not have is told by name, and no container stays', async () => {
    const lost = await openProvider({ image: BUSYBOX, network: 'nowhere' });
    const failed = create(lost, { network: { mode: 'open' }, labels: { 'hermes.run': 'lost' } });
    await expect(failed).rejects.toMatchObject({ code: 'NETWORK_SETUP' });
    await expect(failed).rejects.toThrow(/nowhere/);
    const filters = { label: ['hermes.run=lost'] };
    expect(await docker.listContainers({ all: true, filters })).toEqual([]);
    await lost.close();
  });
});

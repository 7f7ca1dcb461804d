import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProvisionEvent } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { afterEach, describe, expect, it } from 'vitest';
import { openProvider } from './_docker.ts';

describe.runIf(isExpected('docker'))('a pull', { timeout: 60_000 }, () => {
  let registry: Server | undefined;
  afterEach(() => registry?.close());

  /** A registry on the loopback that answers every question about an image so. */
  async function serve(statuses: number[]): Promise<string> {
    registry = createServer((request, response) => {
      if (request.url === '/v2/') return response.writeHead(200).end('{}');
      const status = statuses.shift() ?? 404;
      const code = status === 429 ? 'TOOMANYREQUESTS' : 'MANIFEST_UNKNOWN';
      const errors = [{ code, message: code.toLowerCase() }];
      return response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ errors }));
    });
    await new Promise<void>((resolve) => registry?.listen(0, '127.0.0.1', resolve));
    return `127.0.0.1:${(registry.address() as AddressInfo).port}`;
  }

  it('is tried again while the registry is busy, and says so; what is not there is told by name', async () => {
    const ref = `${await serve([429, 429])}/none:1`;
    const events: ProvisionEvent[] = [];
    const provider = await openProvider();
    const creation = provider.create(
      { image: { kind: 'ref', ref }, lifetimeMs: 9000, labels: {}, idempotencyKey: ref },
      { onProgress: (event) => events.push(event) },
    );
    await expect(creation).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND' });
    expect(events.some(({ message }) => /busy, again in/.test(message ?? ''))).toBe(true);
    await provider.close();
  });
});

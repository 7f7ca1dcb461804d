import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProvisionEvent, SandboxProvider } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DockerSandboxSettings } from '../src/index.ts';
import { codeOf, docker, openProvider } from './_docker.ts';
import { type Registry, startRegistry } from './_registry.ts';

const MIB = 2 ** 20;
const isManifest = ({ url = '' }: IncomingMessage) => url.includes('/manifests/');
const isLayer = ({ url = '' }: IncomingMessage) => url.includes('/blobs/');

function refuse(response: ServerResponse, status: number, code: string, headers = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ errors: [{ code, message: code.toLowerCase() }] }));
  return true;
}

describe.runIf(isExpected('docker'))('a pull', { timeout: 120_000 }, () => {
  let registry: Registry;
  const opened: SandboxProvider[] = [];
  beforeAll(async () => {
    registry = await startRegistry();
  }, 60_000);
  afterEach(async () => {
    registry.fault(null);
    for (const provider of opened.splice(0)) await provider.close();
  });
  afterAll(async () => {
    const mine = { reference: [`${registry.address}/*`] };
    for (const { Id } of await docker.listImages({ filters: mine }))
      await docker.getImage(Id).remove({ force: true });
    await registry.close();
  });

  /** Makes a sandbox of it, which is gone again, and says what was told. */
  async function pull(ref: string, settings: DockerSandboxSettings = {}, key = ref) {
    const provider = await openProvider(settings);
    opened.push(provider);
    return pullWith(provider, ref, key);
  }

  async function pullWith(provider: SandboxProvider, ref: string, key: string) {
    const events: ProvisionEvent[] = [];
    const image = { kind: 'ref', ref } as const;
    const spec = { image, lifetimeMs: 60_000, labels: {}, idempotencyKey: key };
    const sandbox = await provider.create(spec, { onProgress: (event) => events.push(event) });
    await sandbox.dispose();
    return events.filter(({ phase }) => phase === 'pull');
  }

  it('tells how many bytes of all layers have come', async () => {
    const ref = await registry.publish('big:1', [24 * MIB, 8 * MIB]);
    const events = await pull(ref);
    const totals = events.flatMap(({ total }) => total ?? []);
    expect(Math.max(...totals)).toBeGreaterThan(24 * MIB);
    const counts = events.flatMap(({ current }) => current ?? []);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(events.at(-1)?.message).toContain(ref);
  });

  it('is made once for all who want the image at the same time', async () => {
    const ref = await registry.publish('shared:1', [4 * MIB]);
    const provider = await openProvider();
    opened.push(provider);
    const before = registry.seen.length;
    await Promise.all([1, 2, 3, 4].map((n) => pullWith(provider, ref, `${ref} ${n}`)));
    const asked = registry.seen
      .slice(before)
      .filter((line) => /\/shared\/manifests\/1$/.test(line));
    expect(asked).toHaveLength(1);
  });

  it('waits as long as a busy registry asks for, says so, and succeeds', async () => {
    const ref = await registry.publish('busy:1', [MIB]);
    let freeAtMs = 0;
    registry.fault((request, response) => {
      if (!isManifest(request)) return false;
      const now = performance.now();
      freeAtMs ||= now + 3000;
      if (now > freeAtMs) return false;
      return refuse(response, 429, 'TOOMANYREQUESTS', { 'retry-after': '3' });
    });
    const events = await pull(ref);
    const waits = events.filter(({ message }) => /busy, again in 3 s/.test(message ?? ''));
    expect(waits).toHaveLength(1);
  });

  it('of a registry that stays busy is an error of the infrastructure that may be tried again', async () => {
    registry.fault((_, response) =>
      refuse(response, 429, 'TOOMANYREQUESTS', { 'retry-after': '1' }),
    );
    await expect(pull(`${registry.address}/always-busy:1`)).rejects.toMatchObject({
      code: 'IMAGE_PULL_FAILED',
      retryable: true,
      details: { retryAfterMs: 1000 },
    });
  });

  it('goes on when a layer is cut half-way', async () => {
    const ref = await registry.publish('cut:1', [8 * MIB]);
    let cuts = 0;
    registry.fault((request, response) => {
      if (!isLayer(request) || cuts > 0) return false;
      cuts += 1;
      response.writeHead(200, { 'content-length': 8 * MIB });
      response.write(Buffer.alloc(MIB), () => response.destroy());
      return true;
    });
    await pull(ref);
    expect(cuts).toBe(1);
  });

  it('that stalls ends at its time limit, which the message names', async () => {
    const ref = await registry.publish('stalled:1', [8 * MIB]);
    registry.fault((request) => isLayer(request));
    const failed = pull(ref, { pullTimeoutMs: 2000 });
    await expect(failed).rejects.toMatchObject({ code: 'IMAGE_PULL_FAILED', retryable: true });
    await expect(failed).rejects.toThrow(/not done within 2 s/);
  });

  it('of what is not there is told by name, and never tried again', async () => {
    const failed = pull(`${registry.address}/none:1`);
    await expect(failed).rejects.toMatchObject({ code: 'IMAGE_NOT_FOUND', retryable: false });
    await expect(failed).rejects.toThrow(
      /^pull image \S+\/none:1 at unix:\S+: .*; check the name and the tag, or build it there/,
    );
  });

  it('that is denied says how to log in, and never the password', async () => {
    registry.fault((_, response) => refuse(response, 401, 'UNAUTHORIZED'));
    const account = { username: 'me', password: 'pa55w0rd!', serveraddress: registry.address };
    const failed = pull(`${registry.address}/private:1`, { registryAuth: account });
    expect(await codeOf(failed)).toBe('AUTH');
    await expect(failed).rejects.toThrow(/; check the name, and log in .*setting registryAuth/);
    const error = await failed.catch((cause: Error) => `${cause.stack} ${JSON.stringify(cause)}`);
    expect(error).not.toContain('pa55w0rd!');
  });
});

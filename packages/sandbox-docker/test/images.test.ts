import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProvisionEvent, SandboxProvider } from '@hermes/sandbox';
import { isExpected } from '@hermes/vitest-config/services';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, create, DEBIAN, docker, openProvider, output, SOCKET } from './_docker.ts';

describe.runIf(isExpected('docker'))('the image of a sandbox', { timeout: 120_000 }, () => {
  let provider: SandboxProvider;
  let contextDir: string;
  const build = { kind: 'build' } as const;
  beforeAll(async () => {
    provider = await openProvider();
    contextDir = await mkdtemp(join(tmpdir(), 'hermes-docker-test-'));
  });
  afterAll(async () => {
    await provider.close();
    await rm(contextDir, { recursive: true });
    const filters = { label: ['hermes.build=1'] };
    for (const { Id, RepoTags } of await docker.listImages({ filters }))
      if ((RepoTags ?? []).length > 0) await docker.getImage(Id).remove({ force: true });
  });

  /** A Dockerfile that no earlier run has built. */
  async function dockerfile(lines: string): Promise<void> {
    await writeFile(join(contextDir, 'Dockerfile'), `# ${contextDir}\n${lines}\n`);
  }

  it('is built once per content, for all who ask at the same time, with progress', async () => {
    await dockerfile(
      'ARG BASE=nowhere.invalid/none\nFROM ${BASE}\nRUN date +%N > /made\nWORKDIR /app',
    );
    const events: ProvisionEvent[] = [];
    const spec = { image: { ...build, contextDir } };
    const one = () => create(provider, spec);
    const sandboxes = await Promise.all([one(), one(), one()]);
    const made = await Promise.all(sandboxes.map((sandbox) => output(sandbox, 'pwd; cat /made')));
    expect(made[0]).toMatch(/^\/app\n\d+\n$/);
    expect(new Set(made).size).toBe(1);
    for (const sandbox of sandboxes) await sandbox.dispose();
    await writeFile(join(contextDir, 'extra'), '1');
    const again = { lifetimeMs: 60_000, labels: {}, idempotencyKey: contextDir, ...spec };
    await using other = await provider.create(again, { onProgress: (e) => events.push(e) });
    expect(await output(other, 'cat /made')).toMatch(/^\d+\n$/);
    expect(events.map(({ message }) => message).join('\n')).toContain('RUN date');
  });

  it.each([
    'RUN echo the-reason && exit 3',
    'RUN --mount=type=tmpfs,target=/t echo the-reason && exit 3',
  ])('that cannot be built is an error with the end of the log: %s', async (step) => {
    await dockerfile(`FROM ${DEBIAN}\n${step}`);
    const failed = create(provider, { image: { ...build, contextDir } });
    await expect(failed).rejects.toThrow(/the log ends with:[\s\S]*\nthe-reason/);
    expect(await codeOf(create(provider, { image: { ...build, contextDir } }))).toBe(
      'IMAGE_BUILD_FAILED',
    );
  });

  it('that begins from one that does not come says so, with the way out', async () => {
    await dockerfile('FROM 127.0.0.1:1/none:1');
    const failed = create(provider, { image: { ...build, contextDir } });
    await expect(failed).rejects.toThrow(
      /^build an image from .* at unix:.*127\.0\.0\.1:1.*; check the name and the network of the daemon/,
    );
    await dockerfile('ARG BASE=none\nFROM ${BASE}');
    const other = await openProvider({ image: '127.0.0.1:1/base:1' });
    await expect(create(other, { image: { ...build, contextDir } })).rejects.toThrow(
      /^build an image from .* on 127\.0\.0\.1:1\/base:1 at unix:.*; check the name/,
    );
    await other.close();
  });

  it('gets what .dockerignore leaves in', async () => {
    await dockerfile(`FROM ${DEBIAN}\nWORKDIR /app\nCOPY . .`);
    await writeFile(join(contextDir, '.dockerignore'), 'left-out\n');
    await writeFile(join(contextDir, 'left-out'), 'x');
    await using sandbox = await create(provider, { image: { ...build, contextDir } });
    expect((await output(sandbox, 'ls -A')).split('\n').sort()).toEqual([
      '',
      '.dockerignore',
      'Dockerfile',
      'extra',
    ]);
  });

  it('that is nowhere is told by name, before anything exists', async () => {
    const image = { kind: 'ref', ref: '127.0.0.1:1/none:1' } as const;
    await expect(create(provider, { image })).rejects.toThrow(
      /^pull image 127\.0\.0\.1:1\/none:1 at unix:.*; check the name and the network of the daemon, or .*docker load/,
    );
    const snapshot = create(provider, { image: { kind: 'snapshot', id: 'none' } });
    expect(await codeOf(snapshot)).toBe('IMAGE_NOT_FOUND');
    await expect(snapshot).rejects.toThrow(/^find image none at unix:.*make it again there/);
    const wrong = create(provider, { image: { kind: 'ref', ref: 'no name' } });
    expect(await codeOf(wrong)).toBe('CONFIG');
    await expect(wrong).rejects.toThrow(/'no name'.*give \[HOST\/\]NAME\[:TAG\]/);
  });

  it('may be removed while a sandbox runs, which goes on; the next one is told by name what is missing', async () => {
    const image = { kind: 'ref', ref: '127.0.0.1:1/removed:1' } as const;
    await docker.getImage(DEBIAN).tag({ repo: '127.0.0.1:1/removed', tag: '1' });
    await using sandbox = await create(provider, { image });
    await docker.getImage(image.ref).remove({ force: true });
    expect(await output(sandbox, 'echo on')).toBe('on\n');
    await expect(create(provider, { image })).rejects.toThrow(
      /pull image 127\.0\.0\.1:1\/removed:1/,
    );
  });

  it('that was built is built again after it was removed, be it at the last moment', async () => {
    await dockerfile(`FROM ${DEBIAN}\nRUN echo kept > /made`);
    const image = { ...build, contextDir };
    const first = await create(provider, { image });
    const tag = first.info.image ?? '';
    await first.dispose();
    const remove = `http://docker/images/${tag}?force=1`;
    let removed = 0;
    const onProgress = ({ phase }: ProvisionEvent) => {
      if (phase !== 'create' || removed > 0) return;
      removed += 1;
      execFileSync('curl', ['-sf', '--unix-socket', SOCKET, '-X', 'DELETE', remove]);
    };
    const spec = { image, lifetimeMs: 60_000, labels: {}, idempotencyKey: `${contextDir}-again` };
    await using again = await provider.create(spec, { onProgress });
    expect(removed).toBe(1);
    expect(await output(again, 'cat /made')).toBe('kept\n');
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { createProviderFromDriver } from '../src/core/provider.ts';
import type { SandboxProvider } from '../src/index.ts';
import { conformanceCases } from '../src/testing/cases/index.ts';
import type { ConformanceCase } from '../src/testing/conformance-case.ts';
import { unprovedCapabilities } from '../src/testing/coverage.ts';
import { openKit } from '../src/testing/open-kit.ts';
import {
  appendTo,
  asExit,
  breakProvider,
  type Fault,
  lostByte,
  onResult,
  throughText,
  uncounted,
  wrongExitCode,
} from './_broken-provider.ts';
import { createFolderDriver } from './_folder-driver.ts';

/** What a broken provider does wrong, and the case that has to notice. */
const faults: readonly (readonly [what: string, noticedBy: string, fault: Fault])[] = [
  ['every exit code is one too high', 'exit 42 is exit code 42', onResult(wrongExitCode)],
  ['the last byte of output is lost', 'stdout and stderr stay apart', onResult(lostByte)],
  ['bytes pass through text', 'binary output arrives byte for byte', onResult(throughText)],
  ['dropped bytes are not counted', 'only the head is kept when asked for', onResult(uncounted)],
  ['a signal is an exit code', 'a command killed by a signal names the signal', onResult(asExit)],
  [
    'the deadline is ignored',
    'partial output of both streams is kept',
    (sandbox) => ({
      exec: (request) => sandbox.exec({ ...request, timeoutMs: 2000 }).then(asExit),
    }),
  ],
  [
    'children survive',
    'a detached service is gone with its command by default',
    (sandbox) => ({
      exec: (request) => sandbox.exec({ ...request, background: 'adopt' }),
    }),
  ],
  [
    'the environment is dropped',
    'the environment of a command is its own',
    (sandbox) => ({
      exec: ({ env: _, ...request }) => sandbox.exec(request),
    }),
  ],
  [
    'the directory is dropped',
    'a missing working directory is not_started',
    (sandbox) => ({
      exec: ({ cwd: _, ...request }) => sandbox.exec(request),
    }),
  ],
  [
    'modes are dropped',
    'stat tells type, size, mode and time',
    (sandbox) => ({
      files: { ...sandbox.files, write: (path, data) => sandbox.files.write(path, data) },
    }),
  ],
  [
    'a missing file is an empty one',
    'reading a missing file is FILE_NOT_FOUND with its path',
    (sandbox) => ({
      files: { ...sandbox.files, read: async () => ({ ok: true, value: new Uint8Array() }) },
    }),
  ],
  [
    'writes append',
    'writing again leaves nothing of the longer old content',
    (sandbox) => ({
      files: { ...sandbox.files, write: (path, data) => appendTo(sandbox, path, data) },
    }),
  ],
  [
    'a second session command is run',
    'a second command while one runs is SESSION_BUSY',
    (sandbox) => ({
      session: async () => ({
        id: 'none',
        exec: (request) => sandbox.exec(request),
        close: async () => undefined,
        [Symbol.asyncDispose]: async () => undefined,
      }),
    }),
  ],
];

describe('a broken provider does not pass', () => {
  it.each(faults)('%s: noticed by "%s"', { timeout: 60_000 }, async (_, noticedBy, fault) => {
    await expectNoticed(breakProvider(folderProvider(), fault), noticedBy);
  });

  it('claims what it cannot do', { timeout: 60_000 }, async () => {
    const provider = breakProvider(folderProvider(), () => ({}), { networkNone: true });
    await expectNoticed(provider, 'network none: nothing but the loopback is there');
  });

  it('does what it does not claim', { timeout: 60_000 }, async () => {
    const provider = breakProvider(folderProvider(), () => ({}), { tty: false });
    await expectNoticed(
      provider,
      'a terminal is there when asked for, with its size, and not otherwise',
    );
  });

  it('leaves a sandbox behind', async () => {
    const provider = folderProvider();
    const kit = await openKit(async () => provider);
    const { spec } = await kit.context();
    const forgotten = await provider.create(spec());
    await kit.disposeShared();
    expect((await kit.leaks()).map(({ id }) => id)).toEqual([forgotten.ref.id]);
    await kit.close();
    expect(forgotten.gone.aborted).toBe(true);
  });
});

describe('the kit itself', () => {
  it('has no two cases of one name', () => {
    const names = conformanceCases.map(({ group, name }) => `${group}: ${name}`);
    expect(names).toHaveLength(new Set(names).size);
  });

  it('has a case for every capability that could be claimed', () => {
    const { resourceLimits, usage, ...flags } = folderProvider().capabilities;
    const optional = [
      'imageKinds',
      'images',
      'mounts',
      'nesting',
      'readonlyRoot',
      'sharedPorts',
      'shm',
    ];
    const nested = [
      ...Object.keys(resourceLimits).map((key) => `resourceLimits.${key}`),
      ...Object.keys(usage).map((key) => `usage.${key}`),
    ];
    const covered = conformanceCases.flatMap(({ needs, proves = [] }) => [...needs, ...proves]);
    const claimable = [...Object.keys(flags), ...optional, ...nested];
    expect([...new Set<string>(covered)].sort()).toEqual(claimable.sort());
  });

  it('names a claim that no case could prove', () => {
    const { capabilities } = folderProvider();
    const claimed = ['shell', 'gpu'] as const;
    expect(unprovedCapabilities(claimed, capabilities, conformanceCases)).toEqual(['gpu']);
  });
});

const opened: SandboxProvider[] = [];
afterAll(() => Promise.all(opened.map((provider) => provider.close())));

function folderProvider(): SandboxProvider {
  const provider = createProviderFromDriver(createFolderDriver());
  opened.push(provider);
  return provider;
}

/** Runs one case twice: the real provider passes it, the broken one must not. */
async function expectNoticed(broken: SandboxProvider, name: string): Promise<void> {
  const testCase = conformanceCases.find((one) => one.name === name);
  if (testCase === undefined) return expect.fail(`there is no case "${name}"`);
  await runOn(folderProvider(), testCase);
  await expect(runOn(broken, testCase)).rejects.toThrow();
}

async function runOn(provider: SandboxProvider, testCase: ConformanceCase): Promise<void> {
  const kit = await openKit(async () => provider);
  try {
    await kit.run(testCase);
  } finally {
    await kit.close();
  }
}

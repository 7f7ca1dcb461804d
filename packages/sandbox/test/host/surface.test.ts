import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import * as host from '../../src/host/index.ts';

const folder = new URL('../../src/host/', import.meta.url);

it('exports exactly these names', () => {
  expect(Object.keys(host).sort()).toEqual([
    'MARK_VARIABLE',
    'PROGRAM_PATH',
    'absoluteWorkdir',
    'applyLimits',
    'checkSettingNames',
    'claimFolder',
    'createByteChannel',
    'createCgroup',
    'createHostDriver',
    'endSandbox',
    'findHostSupervisor',
    'findSystemFolders',
    'forwardedPorts',
    'hasEnvironmentEntry',
    'hostCapabilities',
    'identifyProcess',
    'isProcessAlive',
    'joinCommand',
    'joinFiles',
    'killCgroup',
    'killSandboxProcesses',
    'limitWrites',
    'listMembers',
    'listProcesses',
    'listSandboxIds',
    'makeTransferFolder',
    'openSandboxHost',
    'plainLayout',
    'planCgroup',
    'probeCgroups',
    'readRecord',
    'readUsage',
    'relativeWorkdir',
    'removeCgroup',
    'removeTree',
    'sandboxFolder',
    'sandboxId',
    'settingsError',
    'signalProcess',
    'startProcess',
    'supervisorPlace',
    'sweepTransferFolders',
    'unsupported',
    'usedBytes',
    'writeRecord',
  ]);
});

it('imports nothing but Node and this package', async () => {
  const names = await readdir(folder);
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')));
  const imported = texts.flatMap((text) => [...text.matchAll(/ from '([^']+)';$/gm)]);
  const foreign = imported.filter(([, from = '']) => !/^(\.|node:|@hermes\/protocol$)/.test(from));
  expect(foreign.map(([, from]) => from)).toEqual([]);
});

import { describeSandboxConformance } from '@hermes/sandbox/testing';
import { isExpected } from '@hermes/vitest-config/services';
import { describe } from 'vitest';
import { onDocker, openPool } from './_inner.ts';

describe.runIf(isExpected('docker'))('with a daemon', () => {
  describeSandboxConformance({
    name: 'slot-pool on docker',
    open: () => openPool({ inner: onDocker, slotsPerSandbox: 40 }),
  });
});

import { describeSandboxConformance } from '@hermes/sandbox/testing';
import { isExpected } from '@hermes/vitest-config/services';
import { describe } from 'vitest';
import { onSsh, openPool } from './_inner.ts';

describe.runIf(isExpected('sshd'))('with a server', () => {
  describeSandboxConformance({
    name: 'slot-pool on ssh',
    open: () => openPool({ inner: onSsh(), slotsPerSandbox: 40 }),
  });
});

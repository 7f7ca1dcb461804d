import { isExpected } from '@hermes/vitest-config/services';
import { describe } from 'vitest';
import { describeSshConformance } from './_conformance.ts';

describe.runIf(isExpected('sshd'))('over ssh', () => {
  describeSshConformance({ user: 'hermes-ssh', supervisor: 'go' });
});

import { isExpected } from '@hermes/vitest-config/services';
import { describe } from 'vitest';
import { describeLocalConformance } from './_conformance.ts';

describe.runIf(isExpected('bubblewrap'))('with bubblewrap', () => {
  describeLocalConformance({ isolation: 'bubblewrap', supervisor: 'sh' });
});

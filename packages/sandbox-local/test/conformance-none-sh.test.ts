import { describeLocalConformance } from './_conformance.ts';

describeLocalConformance({ isolation: 'none', supervisor: 'sh' });

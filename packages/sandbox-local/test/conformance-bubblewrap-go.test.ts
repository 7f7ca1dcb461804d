import { describeLocalConformance } from './_conformance.ts';

describeLocalConformance({ isolation: 'bubblewrap', supervisor: 'go' });

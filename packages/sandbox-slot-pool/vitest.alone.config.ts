import { testsThatRunAlone } from '@hermes/vitest-config';

export default testsThatRunAlone('sandbox-slot-pool');

import { packageTests } from '@hermes/vitest-config';

export default packageTests('real-engines');

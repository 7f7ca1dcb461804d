import { packageTests } from '@hermes/vitest-config';

export default packageTests('rollout-server');

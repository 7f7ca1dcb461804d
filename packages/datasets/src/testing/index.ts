export type { FakeDataset, FakeFile } from './fake-dataset.ts';
export type { FakeHub, FakeHubFault, FakeHubOptions, FakeHubRequest } from './start-fake-hub.ts';
export { startFakeHub } from './start-fake-hub.ts';

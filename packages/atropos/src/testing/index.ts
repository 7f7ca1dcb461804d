// What every server of the protocol does: 22 cases to run against yours.
export type { CaseOptions, RunApiCase } from './cases/run-api-case.ts';
export { runApiCases } from './cases/run-api-cases.ts';
// Groups, requests and ports for tests.
export { freePort } from './free-port.ts';
export type { RawAnswer, RawRequest } from './raw-request.ts';
export { rawRequest } from './raw-request.ts';
export { scoredGroup } from './scored-group.ts';
// Trainers that check what they get.
export type { FakeTrainer, FakeTrainerOptions, TrainerReport } from './start-fake-trainer.ts';
export { startFakeTrainer } from './start-fake-trainer.ts';
export type { RunApi } from './start-run-api.ts';
export { startRunApi } from './start-run-api.ts';
export type { FakeTinker, FakeTinkerOptions, TinkerDatum } from './tinker/start-fake-tinker.ts';
export { startFakeTinker } from './tinker/start-fake-tinker.ts';

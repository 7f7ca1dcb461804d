// An engine without a model.
export type {
  EngineScript,
  RecordedQuestion,
  ScriptedEngine,
  ScriptedEngineOptions,
  ScriptedTokens,
} from './scripted-engine.ts';
export { scriptedTokenEngine } from './scripted-engine.ts';
// A server without an engine.
export type {
  FakeEngineAnswer,
  FakeEngineRequest,
  FakeEngineServer,
} from './start-fake-engine-server.ts';
export { startFakeEngineServer } from './start-fake-engine-server.ts';

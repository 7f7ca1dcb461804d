// An engine without a model.
export type {
  EngineScript,
  RecordedQuestion,
  ScriptedEngine,
  ScriptedEngineOptions,
  ScriptedTokens,
} from './scripted-engine.ts';
export { scriptedTokenEngine } from './scripted-engine.ts';

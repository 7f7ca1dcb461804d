// Effects that a test controls: the same run gives the same ids, numbers and times.

export type { EventCollector } from './collect-events.ts';
// What came out.
export { collectEvents } from './collect-events.ts';
export type { FakeClock, FakeClockOptions } from './fake-clock.ts';
export { fakeClock } from './fake-clock.ts';
export type { MemoryTrainer, MemoryTrainerOptions, TrainerRoute } from './memory-trainer.ts';
// A trainer in memory.
export { memoryTrainer } from './memory-trainer.ts';
export type { Script, ScriptedAnswer, ScriptedCall, ScriptedTurn } from './script.ts';
export type {
  Latency,
  RecordedCall,
  ScriptedModel,
  ScriptedModelOptions,
} from './scripted-model.ts';
// A model that plays a script.
export { scriptedModel } from './scripted-model.ts';
export type { LogEntry, MemoryLogger, TestEffects, TestEffectsOptions } from './test-effects.ts';
export { countingIds, memoryLogger, seededRandom, testEffects } from './test-effects.ts';
export type { ScriptedTokenModel, ScriptedTokenModelOptions } from './token-model.ts';
// A scripted model in token space.
export { scriptedTokenModel } from './token-model.ts';

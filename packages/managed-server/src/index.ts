// A model in token space.
export { createManagedServer } from './create-managed-server.ts';
// An engine of one's own kind.
export type {
  DialectAnswer,
  EngineDialect,
  EngineQuestion,
  FullSampling,
  StreamReader,
  TokenPiece,
} from './engines/engine-dialect.ts';
export type { WireEngineSettings } from './engines/wire-engine.ts';
export { createWireEngine } from './engines/wire-engine.ts';
// Engines over HTTP.
export type { ServerFacts } from './probe/detect-server.ts';
export type { OpenEngineOptions, OpenedEngine } from './probe/open-token-engine.ts';
export { openTokenEngine } from './probe/open-token-engine.ts';
export type { TokenEngineSettings } from './probe/settings.ts';
export type { ManagedServer, ManagedServerOptions, ManagedSession } from './types.ts';
export type { EngineWire, WireRequest } from './wire/engine-wire.ts';

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
// Engines over HTTP.
export type { ServerFacts } from './probe/detect-server.ts';
export type { OpenEngineOptions, OpenedEngine } from './probe/open-token-engine.ts';
export { openTokenEngine } from './probe/open-token-engine.ts';
export type { ServerType, TokenEngineSettings } from './probe/settings.ts';
export type { ManagedServer, ManagedServerOptions, ManagedSession } from './types.ts';
export type { WireRequest } from './wire/engine-wire.ts';

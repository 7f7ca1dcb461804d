export { checkParser, type ParserFixture } from './check-parser.ts';
export { foldEvents } from './fold-events.ts';
export type { FuzzInput, FuzzSeed } from './fuzz-inputs.ts';
export { type FuzzFailure, fuzzParser } from './fuzz-parser.ts';

// the composition root, for benchmark apps and for tests
export type { Output } from './context.ts';
export { type ExitCode, exitCodes } from './exit-codes.ts';
export type { ChosenModel, ModelEntry, ModelRequest } from './models.ts';
export type { ParseFallback, ParserEntry } from './parsers.ts';
export { type CliOptions, runCli } from './run-cli.ts';

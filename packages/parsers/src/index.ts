// Formats by name.

// A format of your own.
export { createParser } from './_core/create-parser.ts';
export type { BlockReader, Format, OpenBlock, Step } from './_core/format.ts';
export { type MarkedJson, markedJsonParser } from './_core/json-calls/marked-json.ts';
export { compactJson } from './_core/render/render.ts';
export { RenderError } from './_core/render/render-error.ts';
// From one format to another, and which one a model speaks.
export { convert } from './convert.ts';
// Errors.
export { ConvertError } from './convert-error.ts';
export { type Detection, type DetectionSource, type DetectOptions, detect } from './detect.ts';
export { explainDiagnostic } from './explain-diagnostic.ts';
export { FormatNotDetectedError } from './format-not-detected-error.ts';
export {
  builtinParsers,
  createParserRegistry,
  getParser,
  listParsers,
  type ParserRegistry,
} from './registry.ts';
// What a parser reads and gives.
export type {
  Diagnostic,
  DiagnosticCode,
  DiagnosticLevel,
  ParseOptions,
  ParseResult,
  ParserEvent,
  ParserStream,
  RenderableMessage,
  RenderOptions,
  ToolCall,
  ToolCallParser,
  ToolSchema,
} from './types.ts';
export { UnknownFormatError } from './unknown-format-error.ts';

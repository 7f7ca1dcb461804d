import { requireType } from './_core/options.ts';
import { FormatNotDetectedError } from './format-not-detected-error.ts';
import { markerTraitOf } from './marker-formats.ts';
import { formatOfModel } from './model-formats.ts';
import { getParser, listParsers } from './registry.ts';

/** What is known of a model: one of these, or several. */
export type DetectionSource = Readonly<{
  /** The Jinja template of its tokenizer. */
  chatTemplate?: string;
  /** Its name, such as `Qwen/Qwen3-Coder-30B-A3B-Instruct`. */
  modelId?: string;
  /** Something that it wrote. */
  text?: string;
}>;

export type Detection = Readonly<{
  /** Name of the format, for `getParser`. */
  format: string;
  /** Between 0 and 1: how sure the source makes it. */
  confidence: number;
  /** What gave the format away, for people. */
  reason: string;
}>;

export type DetectOptions = Readonly<{
  /** The format to take when nothing gives one away. Default: an error. */
  fallback?: string;
}>;

/**
 * The format of a model. The surest source counts; the template of two that are equally sure.
 * Throws `FormatNotDetectedError`, which lists the names, unless there is a fallback.
 */
export function detect(source: DetectionSource, options: DetectOptions = {}): Detection {
  requireType(source, {}, 'detect');
  const found = [
    fromMarkers(source, 'chatTemplate', 'the chat template'),
    fromModel(source),
    fromMarkers(source, 'text', 'the text'),
  ].filter((detection) => detection !== null);
  const [best] = found.sort((one, two) => two.confidence - one.confidence);
  if (best !== undefined) return best;
  const { fallback } = options;
  if (fallback === undefined) throw new FormatNotDetectedError(source.modelId, listParsers());
  return { format: getParser(fallback).name, confidence: 0, reason: 'nothing gave a format away' };
}

function fromMarkers(
  source: DetectionSource,
  key: 'chatTemplate' | 'text',
  what: string,
): Detection | null {
  const text = stringOf(source, key);
  const trait = text === undefined ? null : markerTraitOf(text);
  if (trait === null) return null;
  const { format, confidence, marker } = trait;
  return { format, confidence, reason: `${what} holds ${JSON.stringify(marker)}` };
}

function fromModel(source: DetectionSource): Detection | null {
  const modelId = stringOf(source, 'modelId');
  const found = modelId === undefined ? null : formatOfModel(modelId);
  if (found === null) return null;
  const { format, part } = found;
  return { format, confidence: 0.9, reason: `the model id holds ${JSON.stringify(part)}` };
}

function stringOf(source: DetectionSource, key: keyof DetectionSource): string | undefined {
  const value: unknown = source[key];
  if (value === undefined || typeof value === 'string') return value;
  throw new TypeError(`${key} must be a string, but is ${value === null ? 'null' : typeof value}`);
}

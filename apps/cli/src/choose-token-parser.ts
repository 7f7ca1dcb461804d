import type { ToolCallParser } from '@hermes/parsers';
import { HermesError, type Tokenizer } from '@hermes/protocol';
import { unknownName } from './unknown-name.ts';

/** Enough for a template to say how calls are written. */
const PROBE = {
  messages: [{ role: 'user', content: 'Hello.' }],
  tools: [{ type: 'function', function: { name: 'probe', parameters: { type: 'object' } } }],
  generationPrompt: true,
} as const;

/** The format in which a model in token space writes its calls: the one that is named, else what its chat template or name gives away, else Hermes'. */
export async function chooseTokenParser(
  name: string | null,
  tokenizer: Tokenizer,
  modelId: string,
): Promise<ToolCallParser> {
  const { detect, getParser, listParsers } = await import('@hermes/parsers');
  if (name === null) {
    const chatTemplate = tokenizer.render(PROBE).text;
    return getParser(detect({ chatTemplate, modelId }, { fallback: 'hermes' }).format);
  }
  const known = listParsers();
  if (known.includes(name)) return getParser(name);
  throw new HermesError('config', 'CONFIG', unknownName('parser', name, known));
}

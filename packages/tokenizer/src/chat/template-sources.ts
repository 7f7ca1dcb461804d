import { type ComponentJson, isObject } from '../pipeline/component.ts';
import { TokenizerError } from '../tokenizer-error.ts';

/** The chat templates of a tokenizer by name; most have only `default`. */
export type TemplateSources = ReadonlyMap<string, string>;

/** A template file wins over the configuration, where there may be one or a list with names. */
export function templateSources(config: ComponentJson, file: string | undefined): TemplateSources {
  if (file !== undefined) return new Map([['default', file]]);
  const value = config.chat_template;
  if (value === undefined || value === null) return new Map();
  if (typeof value === 'string') return new Map([['default', value]]);
  if (Array.isArray(value)) return new Map(value.map(namedTemplate));
  throw new TokenizerError('FORMAT', 'The chat_template of the configuration is no text');
}

function namedTemplate(value: unknown): [string, string] {
  if (isObject(value) && typeof value.name === 'string' && typeof value.template === 'string')
    return [value.name, value.template];
  throw new TokenizerError('FORMAT', 'A chat_template of the configuration has no name or text');
}

/** With tools the template made for them, if there is one. */
export function chosenTemplate(sources: TemplateSources, hasTools: boolean): string {
  const source = (hasTools ? sources.get('tool_use') : undefined) ?? sources.get('default');
  if (source !== undefined) return source;
  const there = [...sources.keys()].join(', ');
  throw new TokenizerError(
    'NO_TEMPLATE',
    there === ''
      ? 'The tokenizer has no chat template; give one as chatTemplate'
      : `The tokenizer has no default chat template, only: ${there}`,
  );
}

import { TokenizerError } from '../tokenizer-error.ts';
import {
  asComponent,
  type ComponentJson,
  components,
  isObject,
  refusal,
  text,
  typeOf,
} from './component.ts';

/** Puts the special tokens of a tokenizer around the ids of a text. */
export type PostProcessor = (ids: readonly number[]) => number[];

/** The post-processor of a tokenizer.json, for one text. */
export function createPostProcessor(json: ComponentJson): PostProcessor {
  const create = PROCESSORS[typeOf(json, 'post-processor')];
  if (create === undefined) throw refusal('post-processor', json);
  return create(json);
}

const PROCESSORS: Readonly<Record<string, (json: ComponentJson) => PostProcessor>> = {
  BertProcessing: createAround,
  ByteLevel: () => (ids) => [...ids],
  RobertaProcessing: createAround,
  Sequence: createSequence,
  TemplateProcessing: createTemplate,
};

function createSequence(json: ComponentJson): PostProcessor {
  const steps = components(json.processors, 'post-processor').map(createPostProcessor);
  return (ids) => steps.reduce((value, step) => step(value), [...ids]);
}

function createAround(json: ComponentJson): PostProcessor {
  const start = idOfPair(json.cls);
  const end = idOfPair(json.sep);
  return (ids) => [start, ...ids, end];
}

function idOfPair(value: unknown): number {
  const [, id]: unknown[] = Array.isArray(value) ? value : [];
  if (typeof id === 'number') return id;
  throw new TokenizerError('FORMAT', 'A special token of the post-processor has no id');
}

/** `single` lists special tokens and the place of the text. */
function createTemplate(json: ComponentJson): PostProcessor {
  const specials = asComponent(json.special_tokens, 'special_tokens');
  const parts = components(json.single, 'part').map((part) => {
    if (isObject(part.Sequence)) return null;
    return idsOf(specials, text(asComponent(part.SpecialToken, 'special token'), 'id'));
  });
  return (ids) => parts.flatMap((part) => part ?? ids);
}

function idsOf(specials: ComponentJson, name: string): number[] {
  const { ids } = asComponent(specials[name], `special token ${name}`);
  if (Array.isArray(ids) && ids.every((id) => typeof id === 'number')) return ids;
  throw new TokenizerError('FORMAT', `The special token ${JSON.stringify(name)} has no ids`);
}

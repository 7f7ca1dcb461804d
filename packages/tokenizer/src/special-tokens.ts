import type { AddedToken } from './pipeline/added-tokens.ts';
import { readAddedToken } from './pipeline/added-tokens.ts';
import { type ComponentJson, components, isObject } from './pipeline/component.ts';
import type { TokenModel } from './pipeline/models/token-model.ts';

/** The roles that a configuration can name a token for, in the order of the reference. */
const NAMED_TOKENS = [
  'bos_token',
  'eos_token',
  'unk_token',
  'sep_token',
  'pad_token',
  'cls_token',
  'mask_token',
] as const;

/** The tokens that the configuration names, such as `eos_token`; templates see them by these names. */
export function namedTokens(config: ComponentJson): Map<string, string> {
  const named = new Map<string, string>();
  for (const name of NAMED_TOKENS) {
    const content = contentOf(config[name]);
    if (content !== null) named.set(name, content);
  }
  return named;
}

function contentOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return isObject(value) && typeof value.content === 'string' ? value.content : null;
}

/**
 * All added tokens: of the tokenizer.json, then those that only the configuration has. A token that
 * is new gets the next free id, as in the reference.
 */
export function readAddedTokens(
  json: ComponentJson,
  config: ComponentJson,
  model: TokenModel,
): AddedToken[] {
  const tokens = new Map<string, AddedToken>();
  for (const one of components(json.added_tokens ?? [], 'added token')) {
    const token = readAddedToken(one, one.id);
    tokens.set(token.content, token);
  }
  for (const one of configuredTokens(config)) {
    if (tokens.has(one.content)) continue;
    const id = model.vocabulary.get(one.content) ?? nextId(tokens, model);
    tokens.set(one.content, { ...one, id });
  }
  return [...tokens.values()];
}

function nextId(tokens: ReadonlyMap<string, AddedToken>, model: TokenModel): number {
  const last = [...tokens.values()].reduce((highest, { id }) => Math.max(highest, id), -1);
  return Math.max(last + 1, model.size);
}

function configuredTokens(config: ComponentJson): AddedToken[] {
  const named = [...namedTokens(config).values()];
  const extra = ['additional_special_tokens', 'extra_special_tokens'].flatMap((key) =>
    listOf(config[key]),
  );
  return [...listedTokens(config), ...[...named, ...extra].map(specialToken)];
}

function listOf(value: unknown): string[] {
  if (isObject(value)) return Object.values(value).flatMap((one) => contentOf(one) ?? []);
  return Array.isArray(value) ? value.flatMap((one) => contentOf(one) ?? []) : [];
}

/** `added_tokens_decoder` says the same as the tokenizer.json, in rare files more. */
function listedTokens(config: ComponentJson): AddedToken[] {
  if (!isObject(config.added_tokens_decoder)) return [];
  return Object.entries(config.added_tokens_decoder).flatMap(([id, value]) =>
    isObject(value) ? [readAddedToken(value, Number(id))] : [],
  );
}

function specialToken(content: string): AddedToken {
  return {
    id: -1,
    content,
    special: true,
    singleWord: false,
    stripsLeft: false,
    stripsRight: false,
    normalized: false,
  };
}

import { HermesError, ModelError, type TokenEngine, type Tokenizer } from '@hermes/protocol';

/** Letters, digits, other scripts, white space and signs: where vocabularies differ, they differ here. */
const SAMPLE =
  'The price is 1234.50 \u20ac \u2014 na\u00efve \u4f60\u597d \ud83d\ude00\n\tdef f(x):\n        return {"a": [x, 1]}\n\n';

/** Compares a tokenizer with the engine that it is used for. Throws `CONFIG` with what differs; what cannot be asked is not checked. */
export async function checkTokenizer(
  engine: TokenEngine,
  tokenizer: Tokenizer,
  signal: AbortSignal,
): Promise<void> {
  const { vocabularySize } = engine.capabilities;
  if (vocabularySize !== null && vocabularySize < tokenizer.vocabularySize)
    throw misfit(engine, `it has ${tokenizer.vocabularySize} tokens, the model ${vocabularySize}`);
  for (const text of probeTexts(tokenizer)) {
    const served = await servedReading(engine, text, signal);
    const difference = served && firstDifference(tokenizer, tokenizer.encode(text), served);
    if (difference !== null) throw misfit(engine, `${difference} in ${JSON.stringify(text)}`);
  }
}

/** null = the engine has no answer to that. */
async function servedReading(
  engine: TokenEngine,
  text: string,
  signal: AbortSignal,
): Promise<readonly number[] | null> {
  try {
    return (await engine.tokenize?.(text, signal)) ?? null;
  } catch (error) {
    if (HermesError.isInstance(error) && UNANSWERED.has(error.code)) return null;
    throw error;
  }
}

/** Older versions of a server do not have the route. */
const UNANSWERED: ReadonlySet<string> = new Set(['BAD_REQUEST', 'NOT_FOUND', 'UNSUPPORTED']);

function probeTexts({ specialTokens }: Tokenizer): readonly string[] {
  const special = [...specialTokens.keys()].slice(0, MOST_SPECIAL_TOKENS);
  return special.length === 0 ? [SAMPLE] : [special.join('a'), SAMPLE];
}

/** Some vocabularies reserve thousands of them. */
const MOST_SPECIAL_TOKENS = 64;

function firstDifference(
  tokenizer: Tokenizer,
  own: readonly number[],
  given: readonly number[],
): string | null {
  const served = withoutStart(tokenizer, own, given);
  const longest = Math.max(own.length, served.length);
  for (let at = 0; at < longest; at += 1) {
    if (own[at] === served[at]) continue;
    return `token ${at} is ${named(tokenizer, own[at])} here and ${named(tokenizer, served[at])} there`;
  }
  return null;
}

/** Some servers put the beginning of a text in front, though they are told not to. */
function withoutStart(
  { bosId }: Tokenizer,
  own: readonly number[],
  given: readonly number[],
): readonly number[] {
  return bosId !== null && given[0] === bosId && own[0] !== bosId ? given.slice(1) : given;
}

function named(tokenizer: Tokenizer, id: number | undefined): string {
  return id === undefined ? 'none' : `${id} (${JSON.stringify(tokenizer.decode([id]))})`;
}

function misfit({ id, modelId }: TokenEngine, difference: string): ModelError {
  return new ModelError(
    'CONFIG',
    `The tokenizer does not fit the model "${modelId}" that the engine ${id} serves: ${difference}. Give the tokenizer of that very model.`,
  );
}

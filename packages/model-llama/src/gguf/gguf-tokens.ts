/** The tokens of a GGUF file, in order of their ids. */
export type GgufTokens = Readonly<{
  texts: readonly string[];
  kinds: readonly number[];
  merges: readonly string[];
}>;

/** llama.cpp's kinds of tokens; one without a kind is a normal one. */
const NORMAL = 1;
const CONTROL = 3;
const USER_DEFINED = 4;

/** Whether a token of this kind is found before anything else. */
export function isAdded(kind: number | undefined): boolean {
  return kind === CONTROL || kind === USER_DEFINED;
}

/** Tokens that are found before anything else, as `tokenizer.json` lists them. */
export function addedTokens({ texts, kinds }: GgufTokens): object[] {
  return texts.flatMap((content, id) => {
    const kind = kinds[id];
    if (!isAdded(kind)) return [];
    const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
    return [{ id, content, ...plain, special: kind === CONTROL }];
  });
}

/** The vocabulary of the byte pair encoding. */
export function learnedTokens({ texts, kinds }: GgufTokens): Record<string, number> {
  const learned = texts.flatMap((text, id): [string, number][] =>
    (kinds[id] ?? NORMAL) === NORMAL ? [[text, id]] : [],
  );
  return Object.fromEntries(learned);
}

/** `left right` as pairs; neither part holds a space, which is `Ġ` here. */
export function mergesOf({ merges }: GgufTokens): [string, string][] {
  return merges.map((merge) => {
    const space = merge.indexOf(' ', 1);
    return [merge.slice(0, space), merge.slice(space + 1)];
  });
}

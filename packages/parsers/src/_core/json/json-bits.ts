// What may come next in JSON, as bits. A closing bracket is the bit above its opening one.
export const WORD = 1;
export const QUOTE = 2;
export const OPEN_BRACE = 4;
export const CLOSE_BRACE = 8;
export const OPEN_BRACKET = 16;
export const CLOSE_BRACKET = 32;
export const COMMA = 64;
export const COLON = 128;
export const VALUE: number = QUOTE | OPEN_BRACE | OPEN_BRACKET | WORD;

/** What comes next follows a comma: a closing bracket needs a repair. */
export const BEHIND_COMMA = 256;

/** The bits of ASCII characters; what is not among them may begin a word. */
export const bitOf: Uint8Array = new Uint8Array(128).fill(WORD);
for (let index = 0; index < 7; index += 1) bitOf['"{}[],:'.charCodeAt(index)] = QUOTE << index;

/** What cannot be followed without an image builder; the message is the reason. */
export class NotSimple extends Error {}

/** A path that means something only with a WORKDIR, which a line before it would give. */
export class NoWorkdirYet extends NotSimple {}

/** Values of ARG and ENV in force. */
export type Scope = ReadonlyMap<string, string>;

const PIECE = /(\s+)|'([^']*)'|"((?:\\.|[^"\\])*)"|((?:\\.|\$\{[^}]*\}|[^\s'"\\])+|\\)|(['"])/gs;

/** Splits at white space, removes quotes, and puts variables in. */
export function words(text: string, scope: Scope): string[] {
  const found: string[] = [];
  let word: string | null = null;
  for (const [, space, single, double, bare, unclosed] of text.matchAll(PIECE)) {
    if (unclosed !== undefined) throw new NotSimple('a quote is not closed');
    if (space === undefined) word = (word ?? '') + (single ?? value(double, bare, scope));
    else if (word !== null) {
      found.push(word);
      word = null;
    }
  }
  return word === null ? found : [...found, word];
}

function value(double: string | undefined, bare: string | undefined, scope: Scope): string {
  return double === undefined
    ? substitute(bare ?? '', scope, /^[\s\S]$/)
    : substitute(double, scope, /^["$\\]$/);
}

const VARIABLE = /\\([\s\S])|\$(\w+)|\$\{(\w+)(?::([-+])([^}]*))?\}|\$\{[^}]*\}/g;

/** escapable: the characters before which a backslash vanishes. */
function substitute(text: string, scope: Scope, escapable: RegExp): string {
  return text.replace(VARIABLE, (all, escaped, plain, braced, operator, alternative) => {
    if (escaped !== undefined) return escapable.test(escaped) ? escaped : all;
    const name: string | undefined = plain ?? braced;
    if (name === undefined) throw new NotSimple(`the expansion ${all}`);
    return variable(name, operator, alternative ?? '', scope);
  });
}

function variable(
  name: string,
  operator: string | undefined,
  alternative: string,
  scope: Scope,
): string {
  const known = scope.get(name);
  const isSet = known !== undefined && known !== '';
  if (operator === '-') return isSet ? known : alternative;
  if (operator === '+') return isSet ? alternative : '';
  if (known === undefined) throw new NotSimple(`$${name} comes from the image`);
  return known;
}

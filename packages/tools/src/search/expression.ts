/** A regular expression for each kind of program that may search with it. */
export type Expression = Readonly<{
  /** For ripgrep and Perl's kind. */
  modern: string;
  /** For POSIX extended expressions, which know fewer signs. null: they cannot say it. */
  posix: string | null;
}>;

const SIGNS: ReadonlyMap<string, readonly [outside: string, inBrackets: string]> = new Map([
  ['\\d', ['[0-9]', '0-9']],
  ['\\D', ['[^0-9]', '']],
  ['\\s', ['[[:space:]]', '[:space:]']],
  ['\\S', ['[^[:space:]]', '']],
  ['\\w', ['[[:alnum:]_]', '[:alnum:]_']],
  ['\\W', ['[^[:alnum:]_]', '']],
  ['\\t', ['\t', '\t']],
]);
const TOKEN = /\\.|\[\^?\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*\]|\(\?:|[*+?}]\?|./gs;

/** A model's expression as each kind of program understands it. */
export function expressionOf(pattern: string): Expression {
  const modern = withPlainBraces(pattern);
  return { modern, posix: isModernOnly(modern) ? null : posixOf(modern) };
}

/** `function f() {` means the brace, which some programs would refuse. */
function withPlainBraces(pattern: string): string {
  return pattern.replace(
    /\\[pPx]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\{\d*,?\d*\}|[{}]/gs,
    (piece) => {
      if (piece === '{}' || piece === '{,}') return piece.replace(/[{}]/g, '\\$&');
      return piece === '{' || piece === '}' ? `\\${piece}` : piece;
    },
  );
}

/** Lookaround, flags, named groups, properties of characters. */
function isModernOnly(pattern: string): boolean {
  const tokens = pattern.match(TOKEN) ?? [];
  return tokens.some((token, index) => {
    const opensSpecial = token === '(' && tokens[index + 1]?.startsWith('?') === true;
    return opensSpecial || /^\\[pPkKQR]$/.test(token);
  });
}

function posixOf(pattern: string): string {
  return pattern.replace(TOKEN, (token) => {
    if (token === '(?:') return '(';
    if (token.length === 2 && token.endsWith('?') && !token.startsWith('\\'))
      return token.slice(0, 1);
    if (token.startsWith('[')) {
      return token.replace(/\\./gs, (sign) => SIGNS.get(sign)?.[1] ?? sign.slice(1));
    }
    return SIGNS.get(token)?.[0] ?? token;
  });
}

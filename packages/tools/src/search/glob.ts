const BRACES = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s;
const MOST_ALTERNATIVES = 100;

/**
 * Whether a path below the searched folder fits a glob: `*`, `?`, `[...]`, `{a,b}`, `**` over folders, `!`
 * in front for all others. Without a slash it is about the name alone. A name that begins with a dot fits
 * only where the glob names the dot.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  if (glob.startsWith('!')) {
    const excluded = globMatcher(glob.slice(1));
    return (path) => !isHidden(path) && !excluded(path);
  }
  const patterns = alternatives(glob).map((one) => new RegExp(`^${source(one)}$`, 'su'));
  return (path) => patterns.some((pattern) => pattern.test(path));
}

/** Does the glob ask for names that begin with a dot? */
export function asksForHidden(glob: string | null): boolean {
  return (
    glob !== null && alternatives(glob).some((one) => /(^|\/)\./.test(one.replace(/^\.\//, '')))
  );
}

function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

function alternatives(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [, before, inner, after] = BRACES.exec(one) ?? [];
    if (inner === undefined || done.length + open.length > MOST_ALTERNATIVES) done.push(one);
    else open.push(...inner.split(',').map((choice) => `${before}${choice}${after}`));
  }
  return done;
}

const PIECE = /\*\*\/|\*+|\?|\[(?:[!^]?\]?[^\]]*)\]|\\.|./gsu;

function source(glob: string): string {
  const path = glob.replace(/^(\.?\/)+/, '');
  const anyFolder = '(?:(?!\\.)[^/]+/)*';
  const body = (path.match(PIECE) ?? []).map((piece, index, all) => {
    const startsName = index === 0 || all[index - 1]?.endsWith('/') === true;
    return pieceSource(piece, startsName, index === all.length - 1);
  });
  return `${glob.includes('/') ? '' : anyFolder}${body.join('')}`;
}

function pieceSource(piece: string, startsName: boolean, isLast: boolean): string {
  const noDot = startsName ? '(?!\\.)' : '';
  if (piece === '**/') return '(?:(?!\\.)[^/]+/)*';
  if (piece === '**' && isLast) return '(?:(?!\\.)[^/]+/)*(?!\\.)[^/]+';
  if (piece.startsWith('*')) return `${noDot}[^/]*`;
  if (piece === '?') return `${noDot}[^/]`;
  if (piece.length > 2 && piece.startsWith('[')) return `${noDot}${classSource(piece)}`;
  return escaped(piece.length === 2 && piece.startsWith('\\') ? piece.slice(1) : piece);
}

function classSource(piece: string): string {
  const negated = /^\[[!^]/.test(piece);
  const members = piece.slice(negated ? 2 : 1, -1).replace(/[\\\]^&|~[]/g, '\\$&');
  const candidate = `[${negated ? '^/' : ''}${members}]`;
  try {
    new RegExp(candidate, 'u');
    return candidate;
  } catch {
    return escaped(piece); // [z-a] is no class
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, (character) => `\\${character}`);
}

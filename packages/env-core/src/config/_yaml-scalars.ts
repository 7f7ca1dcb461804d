import type { ScalarTag } from 'yaml';

/**
 * What a plain word means: YAML 1.1 as PyYAML reads it, which older configurations were written for. Unlike other readers of YAML 1.1 it takes
 * `y`, `n`, `08`, `4e-5` and `0o17` for text; unlike it, dates stay text here.
 */
export const plainScalars: readonly ScalarTag[] = [
  scalar('null', /^(?:~|null|Null|NULL|)$/, () => null),
  scalar('bool', /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/, () => true),
  scalar('bool', /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/, () => false),
  scalar('int', /^[-+]?0b[01_]+$/, (text) => prefixed(text, 'b', 2)),
  scalar('int', /^[-+]?0x[0-9a-fA-F_]+$/, (text) => prefixed(text, 'x', 16)),
  scalar('int', /^[-+]?0[0-7_]+$/, (text) => prefixed(text, '', 8)),
  scalar('int', /^[-+]?(?:0|[1-9][0-9_]*)$/, (text) => Number(plain(text)) || 0),
  scalar('int', /^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/, sexagesimal),
  scalar('float', /^[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?$/, (text) => Number(plain(text))),
  scalar('float', /^\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?$/, (text) => Number(plain(text))),
  scalar('float', /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/, sexagesimal),
  scalar('float', /^[-+]?\.(?:inf|Inf|INF)$/, (text) => signOf(text) * Number.POSITIVE_INFINITY),
  scalar('float', /^\.(?:nan|NaN|NAN)$/, () => Number.NaN),
  tagged('null', () => null),
  tagged('float', taggedFloat),
];

function scalar(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve };
}

/** What a word means behind its tag, such as `!!float 1`. */
function tagged(name: string, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, resolve };
}

/** Behind its tag `1` and `4e-5` are floats too. */
function taggedFloat(text: string): number {
  if (/^\.nan$/i.test(text)) return Number.NaN;
  if (/^[-+]?\.inf$/i.test(text)) return signOf(text) * Number.POSITIVE_INFINITY;
  const digits = plain(text);
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(digits)) return Number(digits);
  throw new Error(`${text} is no number`);
}

function plain(text: string): string {
  return text.replaceAll('_', '');
}

function signOf(text: string): number {
  return text.startsWith('-') ? -1 : 1;
}

/** A whole number in another base, after a sign and `0b` or `0x` or `0`. */
function prefixed(text: string, letter: string, base: number): number {
  const digits = plain(text).replace(new RegExp(`^[-+]?0${letter}`), '');
  return signOf(text) * Number.parseInt(digits || '0', base);
}

/** `1:30:00`: each part counts sixty of the next. */
function sexagesimal(text: string): number {
  const parts = plain(text).replace(/^[-+]/, '').split(':').map(Number);
  return signOf(text) * parts.reduce((sum, part) => sum * 60 + part, 0);
}

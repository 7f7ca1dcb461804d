import type { Random } from '@hermes/protocol';

/** An edit as a model would ask for it, with the file before and as it is meant to be after. */
export type MadeEdit = Readonly<{
  kind: string;
  before: Buffer;
  old: string;
  next: string;
  /** null: there is no such place, or more than one; the file must stay as it is. */
  intended: Buffer | null;
}>;

type Line = Readonly<{ content: Buffer; eol: string }>;
/** The same lines before and after, as pairs: a removed line has no second, an added one no first. */
type Step = Readonly<{ from: string | null; to: string | null; line: Line }>;

/** A model's way to write lines of a file; `all` are those that it takes to be there. */
type View = (lines: readonly string[], all: readonly string[]) => string[];

/** Applied alike to what a model says is there and to what shall come. */
const VIEWS: Readonly<Record<string, View>> = {
  'as it is': (lines) => [...lines],
  'less indented': dedented,
  'more indented': (lines) => lines.map((line) => (line === '' ? line : `    ${line}`)),
  'tabs as blanks': (lines) =>
    lines.map((line) => line.replace(/^\t+/, (tabs) => '    '.repeat(tabs.length))),
  'blanks as tabs': (lines) =>
    lines.map((line) => line.replace(/^(?: {4})+/, (blanks) => '\t'.repeat(blanks.length / 4))),
  'runs of blanks collapsed': (lines) => lines.map((line) => line.replace(/[ \t]+/g, ' ')),
  'inner runs of blanks collapsed': (lines) =>
    lines.map((line) => line.replace(/(\S)[ \t]+/g, '$1 ')),
  'trailing blanks lost': (lines) => lines.map((line) => line.trimEnd()),
  'trailing blanks added': (lines) =>
    lines.map((line) => (line.includes('added_') ? line : `${line}  `)),
  'punctuation of a keyboard': (lines) => lines.map(plain),
  'escaped twice': (lines) => [lines.join('\\n').replaceAll('\t', '\\t')],
  'first line not indented': ([first = '', ...rest]) => [first.trimStart(), ...rest],
  'blank lines around it': (lines) => ['', ...lines, ''],
  'carriage returns shown': (lines) => lines.map((line) => `${line}\r`),
};

export const KINDS: readonly string[] = [
  ...Object.keys(VIEWS),
  'a context line remembered wrongly',
  'a part of a line',
  'of another file',
  'given twice',
];

/** One edit of the kind, drawn from the random source. */
export function makeEdit(kind: string, random: Random): MadeEdit {
  for (;;) {
    const edit = drawEdit(kind, random);
    if (kind === 'as it is' || edit.intended === null || !standsElsewhere(edit)) return edit;
  }
}

/** Written in another way, a text may be exactly what stands at another place: no one could tell. */
function standsElsewhere({ before, old, next, intended }: MadeEdit): boolean {
  const simple = (bytes: Buffer | null): string => bytes?.toString().replaceAll('\r', '') ?? '';
  const [text, given] = [simple(before), old.replaceAll('\r', '')];
  const at = text.indexOf(given);
  const replaced = text.slice(0, at) + next.replaceAll('\r', '') + text.slice(at + given.length);
  return at !== -1 && replaced !== simple(intended);
}

function drawEdit(kind: string, random: Random): MadeEdit {
  const file = makeFile(random);
  if (kind === 'a part of a line') return partOfLine(kind, file, random);
  if (kind === 'of another file') return ofAnotherFile(kind, file, random);
  if (kind === 'given twice') return givenTwice(kind, file, random);
  const steps = makeSteps(file, random);
  const view = VIEWS[kind] ?? ((lines) => misremembered(lines, steps));
  const [old, next] = viewed(steps, view, random);
  return { kind, before: bytesOf(file), old, next, intended: intendedBytes(file, steps) };
}

function viewed(steps: readonly Step[], view: View, random: Random): [string, string] {
  const shown = (line: string): string =>
    view === VIEWS['as it is'] ? line : line.replace('\ufeff', '');
  const from = steps.flatMap((step) => (step.from === null ? [] : [shown(step.from)]));
  const to = steps.flatMap((step) => (step.to === null ? [] : [shown(step.to)]));
  const newline = random.next() < 0.3 ? '\n' : '';
  return [view(from, from).join('\n') + newline, view(to, from).join('\n') + newline];
}

function dedented(lines: readonly string[], all: readonly string[]): string[] {
  const depths = all.flatMap((line) => (line.trim() === '' ? [] : [indentationOf(line)]));
  const least = depths.reduce(
    (one, other) => (other.length < one.length ? other : one),
    depths[0] ?? '',
  );
  return lines.map((line) => (line.startsWith(least) ? line.slice(least.length) : line));
}

function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function plain(line: string): string {
  const simple: Readonly<Record<string, string>> = {
    '\u201c': '"',
    '\u201d': '"',
    '\u2014': '-',
    '\u2026': '...',
  };
  return line.replace(/[\u201c\u201d\u2014\u2026]/g, (character) => simple[character] ?? character);
}

/** A letter in the middle of a line that the edit does not touch. */
function misremembered(lines: readonly string[], steps: readonly Step[]): string[] {
  const untouched = steps
    .filter(({ from, to }) => from !== null && from === to)
    .map(({ from }) => from);
  const victim = untouched.slice(1, -1).find((line) => line !== null && line.trim().length > 8);
  const wrong = (line: string): string => `${line.slice(0, -3)}q${line.slice(-2)}`;
  return lines.map((line) => (line === victim ? wrong(line) : line));
}

function partOfLine(kind: string, file: readonly Line[], random: Random): MadeEdit {
  const at = pick(random, editable(file));
  const line = file[at];
  const text = line?.content.toString() ?? '';
  const start = Math.floor(random.next() * text.length * 0.6);
  const old = text.slice(start, start + 12 + Math.floor(random.next() * 40));
  const next = old.replace(/.$/u, 'Z') + pick(random, ['', ' more', '\nand a line']);
  const eol =
    line?.eol === '\r\n' || (line?.eol === '' && file.at(-2)?.eol === '\r\n') ? '\r\n' : '\n';
  const changed = text.slice(0, start) + next.replace('\n', eol) + text.slice(start + old.length);
  const lines = file.map((other, index) =>
    index === at ? { ...other, content: Buffer.from(changed) } : other,
  );
  return { kind, before: bytesOf(file), old, next, intended: bytesOf(lines) };
}

function ofAnotherFile(kind: string, file: readonly Line[], random: Random): MadeEdit {
  const word = `other${Math.floor(random.next() * 1e9)}`;
  const count = 1 + Math.floor(random.next() * 5);
  const lines = Array.from(
    { length: count },
    (_, index) => `  ${word}.${'xyz'[index % 3]}${index}(${word}_${index})`,
  );
  const old = lines.join('\n');
  return { kind, before: bytesOf(file), old, next: `${old}\n${word}`, intended: null };
}

function givenTwice(kind: string, file: readonly Line[], random: Random): MadeEdit {
  const steps = makeSteps(file, random);
  const view = VIEWS[pick(random, ['as it is', 'trailing blanks added', 'less indented'])];
  const [old, next] = viewed(steps, view ?? ((lines) => [...lines]), random);
  const eol = file.find((line) => line.eol !== '')?.eol ?? '\n';
  const copy = steps.flatMap(({ from, line }) => (from === null ? [] : [{ ...line, eol }]));
  const ended = file.map((line) => (line.eol === '' ? { ...line, eol } : line));
  return { kind, before: bytesOf([...ended, ...copy]), old, next, intended: null };
}

/** A run of lines of which some are changed, added or removed. */
function makeSteps(file: readonly Line[], random: Random): readonly Step[] {
  const length = 2 + Math.floor(random.next() * 7);
  const start = Math.floor(random.next() * Math.max(1, file.length - length));
  const run = file.slice(start, start + length);
  const uniform = new Set(file.map(({ eol }) => eol).filter((eol) => eol !== '')).size === 1;
  const steps = run.flatMap((line, index) => {
    const isInner = index > 0 && index < run.length - 1;
    return stepsFor(line, uniform && isInner, random);
  });
  if (steps.some(({ from, to }) => from !== to)) return steps;
  const victim = steps.find(({ from, line }) => from?.trim() && !line.content.includes(0xff));
  return steps.map((step) =>
    step === victim ? { ...step, to: changedWord(step.from ?? '', random) } : step,
  );
}

function stepsFor(line: Line, uniform: boolean, random: Random): readonly Step[] {
  const from = line.content.toString();
  const kept = { from, to: from, line };
  if (line.content.includes(0xff) || line.eol === '' || from.trim() === '') return [kept];
  const drawn = random.next();
  if (drawn < 0.2) return [{ from, to: changedWord(from, random), line }];
  if (drawn < 0.27 && uniform) return [{ from, to: null, line }];
  if (drawn < 0.35 && uniform) return [kept, { from: null, to: addedLine(from, random), line }];
  return [kept];
}

function changedWord(line: string, random: Random): string {
  return line.replace(/\w+(?=\W*$)/, (word) => `${word}${Math.floor(random.next() * 90) + 10}`);
}

function addedLine(like: string, random: Random): string {
  return `${indentationOf(like)}added_${Math.floor(random.next() * 1e6)}()`;
}

/** The lines of the steps are consecutive lines of the file, so they are found by identity. */
function intendedBytes(file: readonly Line[], steps: readonly Step[]): Buffer {
  const [start] = steps;
  const first = start === undefined ? 0 : file.indexOf(start.line);
  const count = new Set(steps.map(({ line }) => line)).size;
  const after = steps.flatMap(({ from, to, line }) => {
    if (to === null) return [];
    return [from === to ? line : { content: Buffer.from(to), eol: line.eol }];
  });
  return bytesOf([...file.slice(0, first), ...after, ...file.slice(first + count)]);
}

function bytesOf(file: readonly Line[]): Buffer {
  return Buffer.concat(file.flatMap(({ content, eol }) => [content, Buffer.from(eol)]));
}

function editable(file: readonly Line[]): readonly number[] {
  return file.flatMap(({ content }, index) =>
    content.length > 20 && !content.includes(0xff) && !content.includes('\ufeff') ? [index] : [],
  );
}

/** Functions that resemble each other, as real code does. */
function makeFile(random: Random): readonly Line[] {
  const indent = pick(random, ['    ', '  ', '\t']);
  const endings = pick(random, [['\n'], ['\r\n'], ['\n'], ['\r\n', '\n']]);
  const lines: Buffer[] = [
    Buffer.from(random.next() < 0.1 ? '\ufeff# first line of it' : '# first line of it'),
  ];
  const functions = 2 + Math.floor(random.next() * 6);
  for (let index = 0; index < functions; index += 1) {
    lines.push(...makeFunction(index, indent, random).map((line) => Buffer.from(line)));
    if (random.next() < 0.1) lines.push(Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x80, 0x41]));
    if (random.next() < 0.01) lines.push(Buffer.from(hugeLine(random)));
  }
  lines.push(Buffer.from('# the last line of all'));
  const ended = random.next() < 0.7;
  return lines.map((content, index) => ({
    content,
    eol: index === lines.length - 1 && !ended ? '' : pick(random, endings),
  }));
}

function makeFunction(index: number, indent: string, random: Random): readonly string[] {
  const name = pick(random, ['load', 'store', 'merge', 'parse']);
  const number = Math.floor(random.next() * 1000);
  const body = [
    `if ${name}_ready(item):`,
    `${indent}return ${name}(item,   ${number})  `,
    `total  =  ${name}_total(${index}, ${number})`,
    `print(\u201c${name} \u2014 ${number}\u2026\u201d)`,
    `for key in keys_${index}:`,
    `${indent}if key:`,
    `${indent}${indent}use(key, "${name}")`,
    '',
    `log("${name}", total)`,
  ].filter(() => random.next() < 0.8);
  return [
    `def ${name}_${index}(item):`,
    ...body.map((line) => (line === '' ? '' : indent + line)),
    '',
  ];
}

function hugeLine(random: Random): string {
  return Array.from(
    { length: 4000 },
    (_, index) => `"k${index}":${Math.floor(random.next() * 1e6)}`,
  ).join(',');
}

function pick<T>(random: Random, from: readonly T[]): T {
  const value = from[Math.floor(random.next() * from.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}

/** A part of a patch: what to find, and what to make of it. Lines without their marks. */
export type Hunk = Readonly<{
  /** Text of a line above the place; null: none was given. */
  hint: string | null;
  before: readonly string[];
  after: readonly string[];
}>;

/** One thing that a patch does to one file. Paths as the model spells them. */
export type PatchOperation = Readonly<
  | { kind: 'update'; path: string; hunks: readonly Hunk[] }
  | { kind: 'add'; path: string; content: string }
  | { kind: 'delete'; path: string }
  | { kind: 'move'; path: string; to: string }
>;

export type ParsedPatch = Readonly<
  { ok: true; operations: readonly PatchOperation[] } | { ok: false; message: string }
>;

const HEADER = /^\*\*\* (Update|Add|Delete|Move) File: *(.*?) *$/;
const BEGIN = /^\*\*\* Begin Patch *$/;
const END = /^\*\*\* End Patch *$/;

/** Reads a patch of the form `*** Update File: PATH`, `@@ hint @@`, lines that begin with a blank, `-` or `+`. */
export function parsePatch(patch: string): ParsedPatch {
  const sections = sectionsOf(patch.replaceAll('\r\n', '\n').split('\n'));
  if (typeof sections === 'string') return { ok: false, message: sections };
  const operations: PatchOperation[] = [];
  for (const section of sections) {
    const operation = operationOf(section);
    if (typeof operation === 'string') return { ok: false, message: operation };
    operations.push(operation);
  }
  const nothing = 'The patch names no file: start with *** Update File: PATH';
  return operations.length === 0 ? { ok: false, message: nothing } : { ok: true, operations };
}

type Section = Readonly<{ verb: string; path: string; lines: readonly string[] }>;

/** What stands before the first header, or after the end, is talk. */
function sectionsOf(lines: readonly string[]): readonly Section[] | string {
  const begin = lines.findIndex((line) => BEGIN.test(line));
  const sections: { verb: string; path: string; lines: string[] }[] = [];
  for (const line of lines.slice(begin + 1)) {
    if (END.test(line)) break;
    const header = HEADER.exec(line);
    if (header !== null) {
      sections.push({ verb: header[1] ?? '', path: header[2] ?? '', lines: [] });
    } else if (line.startsWith('*** ') && line !== '*** End of File') {
      return `Unknown line in the patch: ${line}. Known: *** Update File: PATH, *** Add File: PATH, *** Delete File: PATH, *** Move File: FROM -> TO`;
    } else if (!line.startsWith('*** ')) {
      sections.at(-1)?.lines.push(line);
    }
  }
  return sections;
}

function operationOf({ verb, path, lines }: Section): PatchOperation | string {
  if (path === '') return `*** ${verb} File: has no path`;
  const body = withoutBlankEnd(lines);
  if (verb === 'Update') return updateOf(path, body);
  if (verb === 'Add') return addOf(path, body);
  if (body.length > 0) return `*** ${verb} File: ${path} takes no lines, but has ${body.length}`;
  if (verb === 'Delete') return { kind: 'delete', path };
  const [from, to, more] = path.split(' -> ').map((part) => part.trim());
  if (!from || !to || more !== undefined) return `*** Move File: needs FROM -> TO, got ${path}`;
  return { kind: 'move', path: from, to };
}

/** Empty lines before the next header are none of the file's. */
function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '');
  return lines.slice(0, last + 1);
}

function addOf(path: string, lines: readonly string[]): PatchOperation | string {
  const stranger = lines.find((line) => line !== '' && !/^[+\\]/.test(line));
  if (stranger !== undefined) {
    return `*** Add File: ${path}: each line begins with +, but there is ${JSON.stringify(stranger)}`;
  }
  const content = lines
    .filter((line) => !line.startsWith('\\'))
    .map((line) => `${line.slice(1)}\n`);
  return { kind: 'add', path, content: content.join('') };
}

function updateOf(path: string, lines: readonly string[]): PatchOperation | string {
  const hunks = hunksOf(lines).filter(({ before, after }) => before.length + after.length > 0);
  const changing = hunks.filter(({ before, after }) => !isSame(before, after));
  if (changing.length === 0) return `*** Update File: ${path} changes nothing`;
  return { kind: 'update', path, hunks: changing };
}

function isSame(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((line, index) => line === after[index]);
}

function hunksOf(lines: readonly string[]): readonly Hunk[] {
  const parts: { hint: string | null; lines: string[] }[] = [];
  for (const line of lines) {
    const isHeader = line.startsWith('@@');
    if (isHeader || parts.length === 0)
      parts.push({ hint: isHeader ? hintOf(line) : null, lines: [] });
    if (!isHeader && !line.startsWith('\\')) parts.at(-1)?.lines.push(line); // "\ No newline at end of file"
  }
  return parts.map((part) => hunkOf(part.hint, part.lines));
}

/** A line without a mark stays; an empty one at the end only parts two hunks for people to read. */
function hunkOf(hint: string | null, lines: readonly string[]): Hunk {
  const marked = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  const without = (mark: string): readonly string[] =>
    marked
      .filter((line) => !line.startsWith(mark))
      .map((line) => (/^[ +-]/.test(line) ? line.slice(1) : line));
  return { hint, before: without('+'), after: without('-') };
}

/** `@@ hint @@`, `@@ hint`, or with the line numbers of a diff, which say nothing. */
function hintOf(line: string): string | null {
  const hint = line
    .replace(/^@@ *(?:-\d+(?:,\d+)? \+\d+(?:,\d+)? *@@)?/, '')
    .replace(/ *@@ *$/, '')
    .trim();
  return hint === '' ? null : hint;
}

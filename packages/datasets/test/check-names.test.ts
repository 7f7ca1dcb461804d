import { join, relative, win32 } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkId, checkListedPath, checkRevision } from '../src/hub/check-names.ts';

const part = fc.constantFrom('a', '..', '.', '', 'C:', '\\', '/', '...', '\0', 'b.jsonl', '~');
const name = fc.array(part, { maxLength: 6 }).map((parts) => parts.join('/'));
const glued = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));

function isAccepted(check: () => string): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

it('lets no name through that leads out of the folder, under the rules of any system', () => {
  const property = fc.property(fc.oneof(name, glued), (path) => {
    if (!isAccepted(() => checkListedPath('o/n', path))) return;
    expect(relative('/cache', join('/cache', path))).toBe(path);
    expect(win32.join('C:\\cache', path).startsWith('C:\\cache\\')).toBe(true);
    expect(checkRevision(path)).toBe(path);
  });
  fc.assert(property, { numRuns: 2000 });
});

it.each(['data/a.jsonl', 'a b/ä.csv', 'refs/convert/parquet', '...', '-x'])('takes %j', (path) => {
  expect(checkListedPath('o/n', path)).toBe(path);
});

it.each(['', '/', 'a', 'a/b/c', '../b', 'a/..', 'a/.b', 'a/b..c', 'a\\b/c', 'a/b\n'])(
  'takes %j for no dataset',
  (id) => {
    expect(() => checkId(id)).toThrow(/write OWNER\/NAME/);
  },
);

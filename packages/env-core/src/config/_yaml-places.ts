import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, Scalar } from 'yaml';

/** An entry of a document. offset: of its key; null: there is none. word: its value as it is written, where that is a plain word. */
type Entry = Readonly<{ offset: number | null; word: string | null }>;

/** Finds the entry at the end of a path of keys and indexes. */
export function findEntry(document: Document, path: readonly (string | number)[]): Entry {
  let node: unknown = document.contents;
  let offset: number | null = null;
  for (const step of path) {
    const found = memberOf(document, node, step);
    if (found === null) return { offset: null, word: null };
    node = found.value;
    offset = (found.key as Node | null)?.range?.[0] ?? offset;
  }
  const last = node;
  const isWord = isScalar(last) && last.type === Scalar.PLAIN;
  return { offset, word: isWord ? (last.source ?? null) : null };
}

function memberOf(
  document: Document,
  node: unknown,
  step: string | number,
): Pick<Pair, 'key' | 'value'> | null {
  const target: unknown = isAlias(node) ? node.resolve(document) : node;
  if (isSeq(target)) return { key: null, value: target.items[Number(step)] };
  if (!isMap(target)) return null;
  return target.items.findLast(({ key }) => isScalar(key) && key.source === String(step)) ?? null;
}

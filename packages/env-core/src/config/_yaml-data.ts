import type { JsonObject, JsonValue } from '@hermes/protocol';
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, Scalar } from 'yaml';

/** A value that a file may not hold; offset: where it stands. */
export class YamlDataError extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** A key that stands twice in one map. */
export type DoubleKey = Readonly<{ key: string; offset: number }>;

/** So many values are read through anchors before a file counts as a bomb. */
const ALIAS_LIMIT = 10_000;

/**
 * The document as JSON data, merge keys (`<<`) followed. Of a key that stands twice the last counts, as in PyYAML; onDouble is told of it.
 * Throws a YamlDataError for what is no data, such as an anchor inside itself.
 */
export function dataOf(document: Document, onDouble: (double: DoubleKey) => void): JsonValue {
  const open = new Set<Node>();
  let aliases = 0;

  function read(node: unknown): JsonValue {
    if (isAlias(node)) return read(targetOf(node));
    if (isScalar(node)) return scalarOf(node);
    if (!isMap(node) && !isSeq(node)) return null;
    if (open.has(node)) throw wrong(node, 'an anchor stands inside itself');
    open.add(node);
    const value = isMap(node) ? mapOf(node.items) : node.items.map(read);
    open.delete(node);
    return value;
  }

  function targetOf(alias: Node & { resolve(of: Document): unknown; source: string }): unknown {
    aliases += 1;
    if (aliases > ALIAS_LIMIT) throw wrong(alias, `more than ${ALIAS_LIMIT} values by anchors`);
    const target = alias.resolve(document);
    if (target === undefined)
      throw wrong(
        alias,
        `there is no anchor &${alias.source} before it; a text that begins with * must stand in quotes`,
      );
    return target;
  }

  function mapOf(pairs: readonly Pair[]): JsonObject {
    const sources = pairs.filter(isMerge).map(({ value }) => mergedBy(value));
    const merged = sources.reverse().flatMap((source) => Object.entries(source));
    const own = pairs.filter((pair) => !isMerge(pair));
    return Object.fromEntries([...merged, ...ownEntries(own)]);
  }

  function ownEntries(pairs: readonly Pair[]): (readonly [string, JsonValue])[] {
    const seen = new Set<string>();
    return pairs.map(({ key, value }) => {
      const name = keyOf(key);
      if (seen.has(name)) onDouble({ key: name, offset: offsetOf(key) });
      seen.add(name);
      return [name, read(value)];
    });
  }

  /** Of several maps the first wins. */
  function mergedBy(value: unknown): JsonObject {
    const source = isAlias(value) ? targetOf(value) : value;
    if (isMap(source)) return read(source) as JsonObject;
    if (!isSeq(source)) throw wrong(value, '<<: a map, or a list of maps, is expected');
    const maps = source.items.map((item) => mergedBy(item));
    return Object.assign({}, ...maps.reverse()) as JsonObject;
  }

  return read(document.contents);
}

function isMerge({ key }: Pair): boolean {
  return isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;
}

/** As it is written: `yes:` is the key "yes". */
function keyOf(key: unknown): string {
  if (isScalar(key)) return key.source ?? String(key.value);
  throw wrong(key, 'a key is a text; a list or a map cannot be one');
}

function scalarOf(node: Scalar): JsonValue {
  const { value } = node;
  const isData = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  if (isData) return value as JsonValue;
  throw wrong(node, `a value of the type ${node.tag ?? typeof value} cannot be used here`);
}

function wrong(node: unknown, message: string): YamlDataError {
  return new YamlDataError(message, offsetOf(node));
}

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

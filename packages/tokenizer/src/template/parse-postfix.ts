import type { CallArguments, Expression, FilterChain } from './nodes.ts';
import { failure } from './template-failure.ts';
import type { TokenStream } from './token-stream.ts';

/** Reads what stands inside of brackets, and a value that stands alone. */
export type InnerParser = Readonly<{
  expression: (stream: TokenStream) => Expression;
  primary: (stream: TokenStream) => Expression;
}>;

const NO_ARGUMENTS: CallArguments = { positional: [], named: [], list: null, map: null };

/** Reads attributes, items and calls behind an expression. */
export function parsePostfix(
  stream: TokenStream,
  inner: InnerParser,
  start: Expression,
): Expression {
  let node = start;
  for (;;) {
    if (stream.skipOperator('.')) node = parseAttribute(stream, node);
    else if (stream.skipOperator('[')) node = parseItem(stream, inner, node);
    else if (stream.isOperator('(')) node = parseCall(stream, inner, node);
    else return node;
  }
}

/** Reads filters, tests and calls behind an expression. */
export function parseFilters(
  stream: TokenStream,
  inner: InnerParser,
  start: Expression,
): Expression {
  let node = start;
  for (;;) {
    if (stream.skipOperator('|')) node = applied(node, parseFilter(stream, inner));
    else if (stream.skipName('is')) node = parseTest(stream, inner, node);
    else if (stream.isOperator('(')) node = parseCall(stream, inner, node);
    else return node;
  }
}

/** Reads the filters behind a tag name; `first`: one stands there without a bar. */
export function parseFilterChain(
  stream: TokenStream,
  inner: InnerParser,
  first: boolean,
): FilterChain {
  const chain = first ? [parseFilter(stream, inner)] : [];
  while (stream.skipOperator('|')) chain.push(parseFilter(stream, inner));
  return chain;
}

function applied(target: Expression, filter: FilterChain[number]): Expression {
  return { kind: 'filter', target, ...filter };
}

function parseFilter(stream: TokenStream, inner: InnerParser): FilterChain[number] {
  const name = parseDottedName(stream);
  return { name, args: stream.isOperator('(') ? parseArguments(stream, inner) : NO_ARGUMENTS };
}

function parseDottedName(stream: TokenStream): string {
  let name = stream.expectName();
  while (stream.skipOperator('.')) name += `.${stream.expectName()}`;
  return name;
}

function parseTest(stream: TokenStream, inner: InnerParser, target: Expression): Expression {
  const negated = stream.skipName('not');
  const name = parseDottedName(stream);
  const args = parseTestArguments(stream, inner);
  const test: Expression = { kind: 'test', target, name, args };
  return negated ? { kind: 'not', operand: test } : test;
}

/** A test may have one argument without brackets. */
function parseTestArguments(stream: TokenStream, inner: InnerParser): CallArguments {
  if (stream.isOperator('(')) return parseArguments(stream, inner);
  const { type } = stream.current;
  const isValue =
    ['name', 'string', 'integer', 'float'].includes(type) || stream.isOperator('[', '{');
  if (!isValue || stream.isName('else', 'or', 'and')) return NO_ARGUMENTS;
  if (stream.isName('is')) throw failure('tests cannot be chained with "is"');
  return { ...NO_ARGUMENTS, positional: [parsePostfix(stream, inner, inner.primary(stream))] };
}

function parseCall(stream: TokenStream, inner: InnerParser, target: Expression): Expression {
  return { kind: 'call', target, args: parseArguments(stream, inner) };
}

function parseAttribute(stream: TokenStream, target: Expression): Expression {
  const token = stream.next();
  if (token.type === 'name') return { kind: 'attribute', target, name: token.value };
  if (token.type === 'integer')
    return { kind: 'item', target, key: { kind: 'constant', value: token.value } };
  throw failure('a dot without a name or number behind it');
}

function parseItem(stream: TokenStream, inner: InnerParser, target: Expression): Expression {
  const keys: Expression[] = [];
  while (!stream.skipOperator(']')) {
    if (keys.length > 0) stream.expectOperator(',');
    keys.push(parseSubscript(stream, inner));
  }
  const [only] = keys;
  const key: Expression =
    keys.length === 1 && only !== undefined ? only : { kind: 'tuple', items: keys };
  return { kind: 'item', target, key };
}

/** `start:stop:step`, each of which may be missing, or a plain expression. */
function parseSubscript(stream: TokenStream, inner: InnerParser): Expression {
  const isOpen = (): boolean => !stream.isOperator(':', ']', ',');
  const start = isOpen() ? inner.expression(stream) : null;
  if (!stream.skipOperator(':')) {
    if (start === null) throw stream.unexpected('an expression');
    return start;
  }
  const stop = isOpen() ? inner.expression(stream) : null;
  const step = stream.skipOperator(':') && isOpen() ? inner.expression(stream) : null;
  return { kind: 'slice', parts: [start, stop, step] };
}

function parseArguments(stream: TokenStream, inner: InnerParser): CallArguments {
  stream.expectOperator('(');
  const positional: Expression[] = [];
  const named: [string, Expression][] = [];
  let list: Expression | null = null;
  let map: Expression | null = null;
  for (let isFirst = true; !stream.skipOperator(')'); isFirst = false) {
    if (!isFirst) stream.expectOperator(',');
    if (stream.skipOperator(')')) break;
    if (map !== null) throw failure('an argument behind "**"');
    if (stream.skipOperator('**')) map = inner.expression(stream);
    else if (isNamed(stream)) named.push(parseNamed(stream, inner));
    else if (list !== null) throw failure('an argument behind "*"');
    else if (stream.skipOperator('*')) list = inner.expression(stream);
    else if (named.length > 0) throw failure('an unnamed argument behind a named one');
    else positional.push(inner.expression(stream));
  }
  return { positional, named, list, map };
}

function isNamed(stream: TokenStream): boolean {
  const next = stream.look(1);
  return stream.current.type === 'name' && next.type === 'operator' && next.value === '=';
}

function parseNamed(stream: TokenStream, inner: InnerParser): [string, Expression] {
  const name = stream.expectName();
  stream.expectOperator('=');
  return [name, inner.expression(stream)];
}

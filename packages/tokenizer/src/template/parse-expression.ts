import type { CompareOperator, Expression } from './nodes.ts';
import { type InnerParser, parseFilters, parsePostfix } from './parse-postfix.ts';
import { failure } from './template-failure.ts';
import type { TokenStream } from './token-stream.ts';

/** Reads an expression, by Jinja's precedence. */
export function parseExpression(stream: TokenStream, withCondition = true): Expression {
  return withCondition ? parseCondition(stream) : parseOr(stream);
}

function parseCondition(stream: TokenStream): Expression {
  let then = parseOr(stream);
  while (stream.skipName('if')) {
    const test = parseOr(stream);
    const otherwise = stream.skipName('else') ? parseCondition(stream) : null;
    then = { kind: 'condition', test, then, otherwise };
  }
  return then;
}

function parseOr(stream: TokenStream): Expression {
  let left = parseAnd(stream);
  while (stream.skipName('or')) left = { kind: 'or', left, right: parseAnd(stream) };
  return left;
}

function parseAnd(stream: TokenStream): Expression {
  let left = parseNot(stream);
  while (stream.skipName('and')) left = { kind: 'and', left, right: parseNot(stream) };
  return left;
}

function parseNot(stream: TokenStream): Expression {
  if (!stream.skipName('not')) return parseCompare(stream);
  return { kind: 'not', operand: parseNot(stream) };
}

function parseCompare(stream: TokenStream): Expression {
  const first = parseSum(stream);
  const rest = [];
  for (
    let operator = compareOperator(stream);
    operator !== null;
    operator = compareOperator(stream)
  )
    rest.push({ operator, operand: parseSum(stream) });
  return rest.length === 0 ? first : { kind: 'compare', first, rest };
}

function compareOperator(stream: TokenStream): CompareOperator | null {
  for (const operator of ['==', '!=', '<=', '>=', '<', '>'] as const)
    if (stream.skipOperator(operator)) return operator;
  if (stream.skipName('in')) return 'in';
  const next = stream.look(1);
  if (!stream.isName('not') || next.type !== 'name' || next.value !== 'in') return null;
  stream.next();
  stream.next();
  return 'not in';
}

function parseSum(stream: TokenStream): Expression {
  let left = parseConcat(stream);
  while (stream.isOperator('+', '-')) {
    const operator = stream.isOperator('+') ? '+' : '-';
    stream.next();
    left = { kind: 'binary', operator, left, right: parseConcat(stream) };
  }
  return left;
}

function parseConcat(stream: TokenStream): Expression {
  const items = [parseProduct(stream)];
  while (stream.skipOperator('~')) items.push(parseProduct(stream));
  return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'concat', items };
}

function parseProduct(stream: TokenStream): Expression {
  let left = parsePower(stream);
  for (;;) {
    const operator = (['*', '//', '/', '%'] as const).find((one) => stream.skipOperator(one));
    if (operator === undefined) return left;
    left = { kind: 'binary', operator, left, right: parsePower(stream) };
  }
}

/** From the left, unlike Python. */
function parsePower(stream: TokenStream): Expression {
  let left = parseUnary(stream, true);
  while (stream.skipOperator('**'))
    left = { kind: 'binary', operator: '**', left, right: parseUnary(stream, true) };
  return left;
}

/** A sign binds stronger than a filter behind it. */
function parseUnary(stream: TokenStream, withFilters: boolean): Expression {
  let node: Expression;
  if (stream.skipOperator('-')) node = { kind: 'negative', operand: parseUnary(stream, false) };
  else if (stream.skipOperator('+'))
    node = { kind: 'positive', operand: parseUnary(stream, false) };
  else node = parsePrimary(stream);
  node = parsePostfix(stream, INNER, node);
  return withFilters ? parseFilters(stream, INNER, node) : node;
}

/** For what stands in brackets behind an expression. */
export const INNER: InnerParser = {
  expression: (stream) => parseExpression(stream),
  primary: (stream) => parsePrimary(stream),
};

/** Reads a literal, a name or what stands in brackets. */
function parsePrimary(stream: TokenStream): Expression {
  const token = stream.next();
  if (token.type === 'name') return nameOrConstant(token.value);
  if (token.type === 'string') return { kind: 'constant', value: adjacent(stream, token.value) };
  if (token.type === 'integer') return { kind: 'constant', value: token.value };
  if (token.type === 'float') return { kind: 'constant', value: { float: token.value } };
  if (token.value === '(') return parseBrackets(stream);
  if (token.value === '[') return parseList(stream);
  if (token.value === '{') return parseDictionary(stream);
  throw failure(`unexpected ${token.value === '' ? token.type : JSON.stringify(token.value)}`);
}

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);

function nameOrConstant(name: string): Expression {
  const value = CONSTANTS.get(name);
  return value === undefined ? { kind: 'name', name } : { kind: 'constant', value };
}

/** String literals side by side are one. */
function adjacent(stream: TokenStream, first: string): string {
  let text = first;
  while (stream.current.type === 'string') text += String(stream.next().value);
  return text;
}

function parseBrackets(stream: TokenStream): Expression {
  const node = parseTuple(stream, { allowsEmpty: true });
  stream.expectOperator(')');
  return node;
}

/** Reads one expression, or a tuple where a comma follows. */
export function parseTuple(
  stream: TokenStream,
  options: Readonly<{ withCondition?: boolean; allowsEmpty?: boolean; endsAt?: string }> = {},
): Expression {
  const items: Expression[] = [];
  let isTuple = false;
  while (!isTupleEnd(stream, options.endsAt)) {
    items.push(parseExpression(stream, options.withCondition));
    if (!stream.skipOperator(',')) break;
    isTuple = true;
  }
  const [only] = items;
  if (!isTuple && only !== undefined) return only;
  if (!isTuple && !options.allowsEmpty) throw stream.unexpected('an expression');
  return { kind: 'tuple', items };
}

function isTupleEnd(stream: TokenStream, endsAt: string | undefined): boolean {
  if (stream.current.type === 'variable_end' || stream.current.type === 'block_end') return true;
  return stream.isOperator(')') || (endsAt !== undefined && stream.isName(endsAt));
}

function parseList(stream: TokenStream): Expression {
  const items: Expression[] = [];
  while (!stream.skipOperator(']')) {
    if (items.length > 0) stream.expectOperator(',');
    if (stream.skipOperator(']')) break;
    items.push(parseExpression(stream));
  }
  return { kind: 'list', items };
}

function parseDictionary(stream: TokenStream): Expression {
  const entries: (readonly [Expression, Expression])[] = [];
  while (!stream.skipOperator('}')) {
    if (entries.length > 0) stream.expectOperator(',');
    if (stream.skipOperator('}')) break;
    const key = parseExpression(stream);
    stream.expectOperator(':');
    entries.push([key, parseExpression(stream)]);
  }
  return { kind: 'dictionary', entries };
}

import { tokenize } from './lexer.ts';
import type { Body, Expression, Parameters, Statement, Target } from './nodes.ts';
import { INNER, parseExpression, parseTuple } from './parse-expression.ts';
import { parseFilterChain } from './parse-postfix.ts';
import { failure, refused } from './template-failure.ts';
import { TokenStream } from './token-stream.ts';

/** Reads a chat template. */
export function parseTemplate(source: string): Body {
  const parser = new TemplateParser(new TokenStream(tokenize(source)));
  return parser.parse();
}

class TemplateParser {
  private readonly stream: TokenStream;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  parse(): Body {
    const body = this.parseBody([]);
    if (this.stream.current.type !== 'end') throw this.stream.unexpected('the end');
    return body;
  }

  /** Statements up to one of the end tags, whose name is then the current token. */
  private parseBody(endTags: readonly string[]): Body {
    const body: Statement[] = [];
    for (;;) {
      const token = this.stream.current;
      if (token.type === 'end') {
        if (endTags.length > 0) throw failure(`expected ${endTags.join(' or ')}, found the end`);
        return body;
      }
      this.stream.next();
      if (token.type === 'data') body.push({ kind: 'data', text: token.value });
      else if (token.type === 'variable_begin') body.push(this.parseOutput());
      else if (this.stream.isName(...endTags)) return body;
      else body.push(this.parseStatement());
    }
  }

  /** A tag with a body: the end of the tag, the body, and the end tag, which is returned. */
  private parseBlock(...endTags: readonly string[]): Readonly<{ body: Body; endTag: string }> {
    this.stream.skipOperator(':');
    this.stream.expect('block_end');
    const body = this.parseBody(endTags);
    return { body, endTag: this.stream.expectName() };
  }

  private parseOutput(): Statement {
    const value = parseTuple(this.stream);
    this.stream.expect('variable_end');
    return { kind: 'output', value };
  }

  private parseStatement(): Statement {
    const name = this.stream.expectName();
    const parse = this.statements[name];
    if (parse === undefined)
      throw UNSUPPORTED_TAGS.has(name)
        ? refused(`the tag "${name}"`)
        : failure(`the tag "${name}" is unknown`);
    const statement = parse();
    this.stream.expect('block_end');
    return statement;
  }

  private readonly statements: Readonly<Record<string, () => Statement>> = {
    break: () => ({ kind: 'break' }),
    call: () => this.parseCallBlock(),
    continue: () => ({ kind: 'continue' }),
    filter: () => this.parseFilterBlock(),
    for: () => this.parseFor(),
    generation: () => ({ kind: 'generation', body: this.parseBlock('endgeneration').body }),
    if: () => this.parseIf(),
    macro: () => this.parseMacro(),
    set: () => this.parseSet(),
    with: () => this.parseWith(),
  };

  private parseIf(): Statement {
    const branches: { test: Expression; body: Body }[] = [];
    for (;;) {
      const test = parseTuple(this.stream, { withCondition: false });
      const { body, endTag } = this.parseBlock('elif', 'else', 'endif');
      branches.push({ test, body });
      if (endTag === 'endif') return { kind: 'if', branches, otherwise: [] };
      if (endTag === 'else')
        return { kind: 'if', branches, otherwise: this.parseBlock('endif').body };
    }
  }

  private parseFor(): Statement {
    const target = this.parseTarget('in');
    if (!this.stream.skipName('in')) throw this.stream.unexpected('"in"');
    const iterable = parseTuple(this.stream, { withCondition: false, endsAt: 'recursive' });
    const test = this.stream.skipName('if') ? parseExpression(this.stream) : null;
    if (this.stream.isName('recursive')) throw refused('a recursive loop');
    const { body, endTag } = this.parseBlock('endfor', 'else');
    const otherwise = endTag === 'else' ? this.parseBlock('endfor').body : [];
    return { kind: 'for', target, iterable, test, body, otherwise };
  }

  private parseSet(): Statement {
    const target = this.parseTarget(null);
    if (this.stream.skipOperator('='))
      return { kind: 'set', target, value: parseTuple(this.stream) };
    const filters = parseFilterChain(this.stream, INNER, false);
    return { kind: 'set_block', target, filters, body: this.parseBlock('endset').body };
  }

  private parseMacro(): Statement {
    const name = this.stream.expectName();
    const parameters = this.parseParameters();
    return { kind: 'macro', name, parameters, body: this.parseBlock('endmacro').body };
  }

  private parseCallBlock(): Statement {
    const parameters = this.stream.isOperator('(') ? this.parseParameters() : [];
    const call = parseExpression(this.stream);
    if (call.kind !== 'call') throw failure('a call block without a call');
    return { kind: 'call_block', call, parameters, body: this.parseBlock('endcall').body };
  }

  private parseFilterBlock(): Statement {
    const filters = parseFilterChain(this.stream, INNER, true);
    return { kind: 'filter_block', filters, body: this.parseBlock('endfilter').body };
  }

  private parseWith(): Statement {
    const bindings: (readonly [Target, Expression])[] = [];
    while (this.stream.current.type !== 'block_end') {
      if (bindings.length > 0) this.stream.expectOperator(',');
      const target = this.parseTarget(null);
      this.stream.expectOperator('=');
      bindings.push([target, parseExpression(this.stream)]);
    }
    return { kind: 'with', bindings, body: this.parseBlock('endwith').body };
  }

  private parseParameters(): Parameters {
    const parameters: { name: string; byDefault: Expression | null }[] = [];
    this.stream.expectOperator('(');
    while (!this.stream.skipOperator(')')) {
      if (parameters.length > 0) this.stream.expectOperator(',');
      const name = this.stream.expectName();
      const byDefault = this.stream.skipOperator('=') ? parseExpression(this.stream) : null;
      if (byDefault === null && parameters.at(-1)?.byDefault)
        throw failure('a parameter without a default behind one with a default');
      parameters.push({ name, byDefault });
    }
    return parameters;
  }

  private parseTarget(endsAt: string | null): Target {
    const items = [this.parseOneTarget()];
    let isTuple = false;
    while (this.stream.skipOperator(',')) {
      isTuple = true;
      if (this.stream.isOperator('=') || (endsAt !== null && this.stream.isName(endsAt))) break;
      items.push(this.parseOneTarget());
    }
    const [only] = items;
    return !isTuple && only !== undefined ? only : { kind: 'tuple', items };
  }

  private parseOneTarget(): Target {
    if (this.stream.skipOperator('(')) {
      const target = this.parseTarget(null);
      this.stream.expectOperator(')');
      return target;
    }
    const name = this.stream.expectName();
    if (!this.stream.skipOperator('.')) return { kind: 'name', name };
    return { kind: 'namespace', name, attribute: this.stream.expectName() };
  }
}

/** Tags of Jinja that need other templates, or that no chat template has. */
const UNSUPPORTED_TAGS = new Set([
  'autoescape',
  'block',
  'extends',
  'from',
  'import',
  'include',
  'print',
]);

import type { Token } from './lexer.ts';
import { failure } from './template-failure.ts';

/** The tokens of a template with a place among them. */
export class TokenStream {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  get current(): Token {
    return this.look(0);
  }

  look(ahead: number): Token {
    return this.tokens[this.position + ahead] ?? { type: 'end', value: '' };
  }

  next(): Token {
    const token = this.current;
    this.position += 1;
    return token;
  }

  isOperator(...values: readonly string[]): boolean {
    return this.current.type === 'operator' && values.includes(this.current.value);
  }

  isName(...values: readonly string[]): boolean {
    return this.current.type === 'name' && values.includes(this.current.value);
  }

  skipOperator(value: string): boolean {
    if (!this.isOperator(value)) return false;
    this.position += 1;
    return true;
  }

  skipName(value: string): boolean {
    if (!this.isName(value)) return false;
    this.position += 1;
    return true;
  }

  expectOperator(value: string): void {
    if (!this.skipOperator(value)) throw this.unexpected(`"${value}"`);
  }

  expectName(): string {
    const token = this.next();
    if (token.type === 'name') return token.value;
    this.position -= 1;
    throw this.unexpected('a name');
  }

  expect(type: Token['type']): void {
    if (this.current.type !== type) throw this.unexpected(type);
    this.position += 1;
  }

  unexpected(wanted: string): Error {
    const { type, value } = this.current;
    const shown = value === '' ? type : JSON.stringify(String(value));
    return failure(`expected ${wanted}, found ${shown}`);
  }
}

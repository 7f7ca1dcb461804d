import type { Environment } from './environment.ts';
import { call, evaluate } from './evaluate.ts';
import { isTrue, iterate } from './inspect-value.ts';
import { Loop } from './loop.ts';
import { createMacro, type MacroRunner } from './macro.ts';
import type { Body, Expression, FilterChain, Statement, Target } from './nodes.ts';
import { type Flow, Output } from './output.ts';
import { Scope } from './scope.ts';
import { show } from './show-value.ts';
import { failure } from './template-failure.ts';
import { Callable, Namespace, Undefined, type Value } from './values.ts';

/** Runs the statements of a template. */
export class Executor {
  private readonly environment: Environment;
  /** The output of the template itself; what a macro or block writes goes to another one first. */
  private readonly root: Output;
  private readonly runner: MacroRunner;

  constructor(environment: Environment, root: Output) {
    this.environment = environment;
    this.root = root;
    this.runner = {
      evaluate: (node, scope) => evaluate(node, scope, environment),
      render: (body, scope) => this.render(body, scope),
    };
  }

  run(body: Body, scope: Scope, output: Output, depth = 0): Flow {
    for (const statement of body) {
      const flow = this.execute(statement, scope, output, depth);
      if (flow !== 'next') return flow;
    }
    return 'next';
  }

  private render(body: Body, scope: Scope): string {
    const output = new Output();
    this.run(body, scope, output);
    return output.text();
  }

  private value(node: Expression, scope: Scope): Value {
    return evaluate(node, scope, this.environment);
  }

  private execute(statement: Statement, scope: Scope, output: Output, depth: number): Flow {
    switch (statement.kind) {
      case 'data':
        output.write(statement.text);
        return 'next';
      case 'output':
        output.write(show(this.value(statement.value, scope)));
        return 'next';
      case 'if':
        return this.executeIf(statement, scope, output, depth);
      case 'for':
        return this.executeFor(statement, scope, output, depth);
      case 'break':
      case 'continue':
        return statement.kind;
      case 'set':
        this.assign(statement.target, this.value(statement.value, scope), scope);
        return 'next';
      case 'with':
        return this.executeWith(statement, scope, output, depth);
      default:
        this.executeBlock(statement, scope, output);
        return 'next';
    }
  }

  private executeIf(node: Kind<'if'>, scope: Scope, output: Output, depth: number): Flow {
    const branch = node.branches.find(({ test }) => isTrue(this.value(test, scope)));
    return this.run(branch?.body ?? node.otherwise, scope, output, depth);
  }

  private executeFor(node: Kind<'for'>, scope: Scope, output: Output, depth: number): Flow {
    const iterable = this.value(node.iterable, scope);
    const items = [...iterate(iterable)].filter((item) => this.isLooped(node, item, scope));
    const loop = new Loop(items, depth);
    for (const [index, item] of items.entries()) {
      loop.at(index);
      const inner = new Scope(scope);
      inner.set('loop', loop.value);
      this.assign(node.target, item, inner);
      const flow = output.during(item, () => this.run(node.body, inner, output, depth + 1));
      if (flow === 'break') break;
    }
    if (items.length === 0) this.run(node.otherwise, new Scope(scope), output, depth);
    return 'next';
  }

  private isLooped(node: Kind<'for'>, item: Value, scope: Scope): boolean {
    if (node.test === null) return true;
    const inner = new Scope(scope);
    this.assign(node.target, item, inner);
    return isTrue(this.value(node.test, inner));
  }

  private executeWith(node: Kind<'with'>, scope: Scope, output: Output, depth: number): Flow {
    const inner = new Scope(scope);
    for (const [target, expression] of node.bindings)
      this.assign(target, this.value(expression, scope), inner);
    return this.run(node.body, inner, output, depth);
  }

  /** The statements with a body that is rendered apart. */
  private executeBlock(node: BlockStatement, scope: Scope, output: Output): void {
    if (node.kind === 'macro') {
      const { name, parameters, body } = node;
      scope.set(name, createMacro(name, parameters, body, scope, this.runner));
      return;
    }
    if (node.kind === 'call_block') {
      output.write(this.callWithBody(node, scope));
      return;
    }
    const text = this.render(node.body, new Scope(scope));
    if (node.kind === 'generation') this.writeGenerated(text, output);
    else if (node.kind === 'filter_block')
      output.write(show(this.filtered(text, node.filters, scope)));
    else this.assign(node.target, this.filtered(text, node.filters, scope), scope);
  }

  private callWithBody(node: Kind<'call_block'>, scope: Scope): string {
    if (node.call.kind !== 'call') throw failure('a call block without a call');
    const caller = createMacro('caller', node.parameters, node.body, scope, this.runner);
    const target = this.value(node.call.target, scope);
    const bound: Expression = { ...node.call, target: { kind: 'name', name: ' target' } };
    const inner = new Scope(scope);
    inner.set(
      ' target',
      new Callable('call', ({ positional, named }) =>
        call(target, { positional, named: new Map([...named, ['caller', caller]]) }),
      ),
    );
    return show(this.value(bound, inner));
  }

  /** As the reference does it: the place is that in the text of the template itself. */
  private writeGenerated(text: string, output: Output): void {
    const start = this.root.length;
    this.root.generated.push({ start, end: start + text.length });
    output.write(text);
  }

  private filtered(text: string, filters: FilterChain, scope: Scope): Value {
    return filters.reduce<Value>((value, { name, args }) => {
      const target: Expression = { kind: 'name', name: ' value' };
      const inner = new Scope(scope);
      inner.set(' value', value);
      return this.value({ kind: 'filter', target, name, args }, inner);
    }, text);
  }

  private assign(target: Target, value: Value, scope: Scope): void {
    if (target.kind === 'name') scope.set(target.name, value);
    else if (target.kind === 'tuple') this.unpack(target.items, value, scope);
    else this.assignAttribute(target, value, scope);
  }

  private assignAttribute(target: TargetKind<'namespace'>, value: Value, scope: Scope): void {
    const namespace = scope.get(target.name);
    if (!(namespace instanceof Namespace))
      throw failure('cannot assign attribute on non-namespace object');
    if (target.attribute.startsWith('_'))
      throw failure('Chat templates cannot store underscore-prefixed attributes on a namespace');
    namespace.entries.set(target.attribute, value);
  }

  private unpack(targets: readonly Target[], value: Value, scope: Scope): void {
    if (value instanceof Undefined) throw failure(value.message);
    const items = [...iterate(value)];
    if (items.length !== targets.length)
      throw failure(`expected ${targets.length} values to unpack, got ${items.length}`);
    targets.forEach((target, index) => {
      this.assign(target, items[index] ?? null, scope);
    });
  }
}

type Kind<K extends Statement['kind']> = Extract<Statement, { kind: K }>;
type TargetKind<K extends Target['kind']> = Extract<Target, { kind: K }>;
type BlockStatement = Kind<'macro' | 'call_block' | 'generation' | 'filter_block' | 'set_block'>;

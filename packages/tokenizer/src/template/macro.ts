import type { Body, Expression, Parameters } from './nodes.ts';
import { Scope } from './scope.ts';
import { failure } from './template-failure.ts';
import { type Arguments, Callable, Dictionary, Tuple, Undefined, type Value } from './values.ts';

/** What a macro needs of the one that runs it. */
export type MacroRunner = Readonly<{
  evaluate: (node: Expression, scope: Scope) => Value;
  render: (body: Body, scope: Scope) => string;
}>;

/** A macro as a value: a call renders its body with the arguments. */
export function createMacro(
  name: string,
  parameters: Parameters,
  body: Body,
  outer: Scope,
  runner: MacroRunner,
): Callable {
  const collects = new Set(['varargs', 'kwargs', 'caller'].filter((one) => mentions(body, one)));
  return new Callable(name, (args) => {
    const scope = new Scope(outer);
    const rest = bindParameters(parameters, args, scope, runner);
    bindRest(name, rest, collects, scope);
    return runner.render(body, scope);
  });
}

/** Puts the arguments into the scope, and defaults for those that are not given; returns the others. */
function bindParameters(
  parameters: Parameters,
  args: Arguments,
  scope: Scope,
  runner: MacroRunner,
): Arguments {
  const named = new Map(args.named);
  parameters.forEach(({ name, byDefault }, index) => {
    const given = args.positional[index];
    const value = given === undefined ? named.get(name) : given;
    if (given === undefined) named.delete(name);
    if (value !== undefined) scope.set(name, value);
    else if (byDefault === null)
      scope.set(name, new Undefined(`parameter '${name}' was not provided`));
    else scope.set(name, runner.evaluate(byDefault, scope));
  });
  return { positional: args.positional.slice(parameters.length), named };
}

/** Arguments without a parameter are only allowed where the body asks for them. */
function bindRest(
  name: string,
  rest: Arguments,
  collects: ReadonlySet<string>,
  scope: Scope,
): void {
  const named = new Map(rest.named);
  if (collects.has('caller')) {
    scope.set('caller', named.get('caller') ?? new Undefined('No caller defined'));
    named.delete('caller');
  }
  if (collects.has('kwargs')) scope.set('kwargs', new Dictionary(named));
  else if (named.size > 0)
    throw failure(`macro '${name}' takes no keyword argument '${[...named.keys()].join("', '")}'`);
  if (collects.has('varargs')) scope.set('varargs', new Tuple(rest.positional));
  else if (rest.positional.length > 0) throw failure(`macro '${name}' got too many arguments`);
}

/** Whether a name is used anywhere in a tree. */
function mentions(tree: unknown, name: string): boolean {
  if (typeof tree !== 'object' || tree === null) return false;
  if ('kind' in tree && tree.kind === 'name' && 'name' in tree && tree.name === name) return true;
  return Object.values(tree).some((part) => mentions(part, name));
}

import { checkNames } from './check-names.ts';
import type { Environment } from './environment.ts';
import { Executor } from './execute.ts';
import type { Body } from './nodes.ts';
import { Output } from './output.ts';
import { parseTemplate } from './parse-template.ts';
import { Scope } from './scope.ts';
import type { Value } from './values.ts';

/** A chat template, read once and rendered often. */
export class ChatTemplate {
  readonly source: string;
  private readonly body: Body;
  private readonly environment: Environment;

  /** Refuses by name what could not be rendered exactly; a template that the reference cannot compile is a failure. */
  constructor(source: string, environment: Environment) {
    this.source = source;
    this.environment = environment;
    this.body = parseTemplate(source);
    checkNames(this.body, environment);
  }

  render(variables: ReadonlyMap<string, Value>, messages: readonly Value[] = []): Output {
    const globals = new Scope(null);
    for (const [name, value] of this.environment.globals) globals.set(name, value);
    for (const [name, value] of variables) globals.set(name, value);
    const output = new Output(new Set(messages));
    new Executor(this.environment, output).run(this.body, new Scope(globals), output);
    return output;
  }
}

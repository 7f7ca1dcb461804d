/** An expression of a template. */
export type Expression = Readonly<
  | { kind: 'constant'; value: string | bigint | boolean | null | Readonly<{ float: number }> }
  | { kind: 'name'; name: string }
  | { kind: 'list' | 'tuple' | 'concat'; items: readonly Expression[] }
  | { kind: 'dictionary'; entries: readonly (readonly [key: Expression, value: Expression])[] }
  | { kind: 'attribute'; target: Expression; name: string }
  | { kind: 'item'; target: Expression; key: Expression }
  | { kind: 'slice'; parts: readonly (Expression | null)[] }
  | { kind: 'call'; target: Expression; args: CallArguments }
  | { kind: 'filter'; target: Expression; name: string; args: CallArguments }
  | { kind: 'test'; target: Expression; name: string; args: CallArguments }
  | { kind: 'condition'; test: Expression; then: Expression; otherwise: Expression | null }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'not' | 'negative' | 'positive'; operand: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'compare'; first: Expression; rest: readonly Comparison[] }
>;

export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';

type Comparison = Readonly<{ operator: CompareOperator; operand: Expression }>;

export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

/** The arguments of a call as written; `list` and `map` are unpacked. */
export type CallArguments = Readonly<{
  positional: readonly Expression[];
  named: readonly (readonly [name: string, value: Expression])[];
  list: Expression | null;
  map: Expression | null;
}>;

/** Where a value is put: a name, an attribute of a namespace, or several of these. */
export type Target = Readonly<
  | { kind: 'name'; name: string }
  | { kind: 'namespace'; name: string; attribute: string }
  | { kind: 'tuple'; items: readonly Target[] }
>;

/** The parameters of a macro; those with a default are last. */
export type Parameters = readonly Readonly<{ name: string; byDefault: Expression | null }>[];

/** A filter without what it is applied to, the innermost first. */
export type FilterChain = readonly Readonly<{ name: string; args: CallArguments }>[];

/** A statement of a template. */
export type Statement = Readonly<
  | { kind: 'data'; text: string }
  | { kind: 'output'; value: Expression }
  | {
      kind: 'if';
      branches: readonly Readonly<{ test: Expression; body: Body }>[];
      otherwise: Body;
    }
  | {
      kind: 'for';
      target: Target;
      iterable: Expression;
      test: Expression | null;
      body: Body;
      otherwise: Body;
    }
  | { kind: 'set'; target: Target; value: Expression }
  | { kind: 'set_block'; target: Target; filters: FilterChain; body: Body }
  | { kind: 'macro'; name: string; parameters: Parameters; body: Body }
  | { kind: 'call_block'; call: Expression; parameters: Parameters; body: Body }
  | { kind: 'filter_block'; filters: FilterChain; body: Body }
  | { kind: 'with'; bindings: readonly (readonly [Target, Expression])[]; body: Body }
  | { kind: 'generation'; body: Body }
  | { kind: 'break' | 'continue' }
>;

export type Body = readonly Statement[];

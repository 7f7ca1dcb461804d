type Present<Value> = {
  [Key in keyof Value as null extends Value[Key]
    ? Key
    : undefined extends Value[Key]
      ? Key
      : never]?: NonNullable<Value[Key]>;
} & {
  [Key in keyof Value as null extends Value[Key]
    ? never
    : undefined extends Value[Key]
      ? never
      : Key]: Value[Key];
};

/** Without the keys whose value is null or undefined: clients write both where they mean "not said". */
export function withoutAbsent<Value extends object>(value: Value): Present<Value> {
  const entries = Object.entries(value).filter(([, held]) => held !== null && held !== undefined);
  return Object.fromEntries(entries) as Present<Value>;
}

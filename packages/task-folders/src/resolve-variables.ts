import { HermesError } from '@hermes/protocol';

/** What `${VAR}` may stand for: the host's environment as the command line passes it. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Puts `${VAR}` and `${VAR:-default}` in. Throws ITEM_INVALID for a variable that has neither a value nor a default. */
export function resolveVariables(
  values: Readonly<Record<string, string>>,
  variables: Variables,
  where: string,
): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    resolveText(value, variables, `${where}: env ${name}`),
  ]);
  return Object.fromEntries(entries);
}

function resolveText(text: string, variables: Variables, where: string): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_all, name: string, fallback?: string) => {
    const given = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = given === undefined || given === '' ? (fallback ?? given) : given;
    if (value !== undefined) return value;
    const message = `${where} needs the variable ${name}, which is not set; set it, or give a default with \${${name}:-...}`;
    throw new HermesError('environment', 'ITEM_INVALID', message);
  });
}

import type { ConfigKind } from './_kinds.ts';
import { type RunCommand, runCommands } from './run-command.ts';

/** One key of a section. readers: the commands on which it has an effect; others accept it with a notice. */
export type ConfigField<T> = ConfigKind<T> &
  Readonly<{ fallback: T; meaning: string; readers: readonly RunCommand[] }>;

/** Keys with what they hold. */
export type ConfigFields = Readonly<Record<string, ConfigField<never> | ConfigField<unknown>>>;

/** What the fields make of a section. */
export type Values<F extends ConfigFields> = { readonly [K in keyof F]: F[K]['fallback'] };

/** Keys of a section that belong together, and the settings that they are read into. */
export type Theme<T> = Readonly<{
  fields: ConfigFields;
  /** values: of all its keys, parsed. */
  settingsOf: (values: Readonly<Record<string, unknown>>) => T;
}>;

/** A new key is a line in `fields`, and a line in `toSettings`. */
export function theme<F extends ConfigFields, T>(
  fields: F,
  toSettings: (values: Values<F>) => T,
): Theme<T> {
  return { fields, settingsOf: (values) => toSettings(values as Values<F>) };
}

/** A key with its default and what it means. readers: default all. */
export function field<T>(
  kind: ConfigKind<T>,
  fallback: T,
  meaning: string,
  readers: readonly RunCommand[] = runCommands,
): ConfigField<T> {
  const isTelling = typeof fallback === 'number' || typeof fallback === 'boolean';
  const example = isTelling ? String(fallback) : kind.example;
  return { ...kind, example, fallback, meaning, readers };
}

/** A key of older configurations that is accepted and has no effect. */
export function unread<T>(kind: ConfigKind<T>, fallback: T, meaning: string): ConfigField<T> {
  return field(kind, fallback, meaning, []);
}

import type { ConfigKind } from './_kinds.ts';
import { type RunCommand, runCommands } from './run-command.ts';

/** One key of a section. readers: the commands on which it has an effect; others accept it with a notice. */
export type ConfigField<T> = ConfigKind<T> &
  Readonly<{ fallback: T; meaning: string; readers: readonly RunCommand[] }>;

/** The keys of a section, or of a theme of one. */
export type ConfigFields = Readonly<Record<string, ConfigField<never> | ConfigField<unknown>>>;

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

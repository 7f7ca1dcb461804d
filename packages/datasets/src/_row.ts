import type { JsonObject } from '@hermes/protocol';
import { DatasetError } from './dataset-error.ts';

/** Whether a parsed value is a row. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Only the wanted columns; `COLUMN_MISSING` names what there is instead. */
export function pickColumns(
  row: JsonObject,
  columns: readonly string[] | undefined,
  place: string,
): JsonObject {
  if (columns === undefined) return row;
  return Object.fromEntries(
    columns.map((name) => {
      const value = Object.hasOwn(row, name) ? row[name] : undefined;
      if (value === undefined) throw missingColumn(name, Object.keys(row), place);
      return [name, value];
    }),
  );
}

/** A wanted column that is not there. */
export function missingColumn(
  name: string,
  present: readonly string[],
  place: string,
): DatasetError {
  const list = present.length === 0 ? 'none' : present.map((each) => `"${each}"`).join(', ');
  return new DatasetError(
    'COLUMN_MISSING',
    `${place} has no column "${name}"; its columns are ${list}: rename one, or choose another dataset`,
    { details: { column: name, present } },
  );
}

import { columnsOf, printable } from './format.ts';

/** Aligns rows under their header. Columns of numbers and times are aligned to the right. */
export function formatTable(
  header: readonly string[],
  cells: readonly (readonly string[])[],
): string {
  const rows = cells.map((row) => row.map(printable));
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => columnsOf(row[column] ?? ''))),
  );
  const isNumeric = header.map(
    (_, column) =>
      rows.length > 0 && rows.every((row) => /^[-–]?$|^[-\d.,% $]+s?$/.test(row[column] ?? '')),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - columnsOf(cell));
        return isNumeric[column] ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd();
  return [
    line(header),
    widths.map((width) => '-'.repeat(width)).join('  '),
    ...rows.map(line),
  ].join('\n');
}

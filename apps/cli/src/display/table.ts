/** Aligns rows under their header. Columns of numbers are aligned to the right. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const isNumeric = header.map(
    (_, column) =>
      rows.length > 0 && rows.every((row) => /^[-–]?$|^[-\d.,% $]+$/.test(row[column] ?? '')),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [
    line(header),
    widths.map((width) => '-'.repeat(width)).join('  '),
    ...rows.map(line),
  ].join('\n');
}

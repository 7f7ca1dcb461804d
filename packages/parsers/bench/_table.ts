type Row = Readonly<Record<string, unknown>>;

/** Rows as lines of aligned columns; a column that a row lacks is empty. */
export function tableOf(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((name) => String(row[name] ?? '')))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => width(row, index))));
  const lines = cells.map((row) =>
    row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  '),
  );
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function width(row: readonly string[], index: number): number {
  return (row[index] ?? '').length;
}

export type Column = { readonly title: string; readonly align?: 'left' | 'right' };

/** Columns as wide as their widest cell. Cells are plain text; colour comes after. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paintTitle: (text: string) => string,
): readonly string[] {
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) =>
        columns[index]?.align === 'right' ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [paintTitle(line(columns.map(({ title }) => title))), ...rows.map(line)];
}

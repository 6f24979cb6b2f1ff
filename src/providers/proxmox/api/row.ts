/** One object of an answer. Hosts write numbers as text and text as numbers; whoever reads says which one is meant. */
export type Row = Readonly<Record<string, unknown>>;

export const rowOf = (data: unknown): Row =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Row) : {};

export const rowsOf = (data: unknown): readonly Row[] => (Array.isArray(data) ? data.map(rowOf) : []);

export function textOf(row: Row, key: string): string | undefined {
  const value = row[key];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(row: Row, key: string): number | undefined {
  const value = row[key];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && !Number.isNaN(number) ? number : undefined;
}

export const flagOf = (row: Row, key: string): boolean => numberOf(row, key) === 1 || row[key] === true;

/** Lists that are text: separated by commas, semicolons or blanks. */
export const listOf = (row: Row, key: string): readonly string[] =>
  (textOf(row, key) ?? '').split(/[,;\s]+/).filter((item) => item !== '');

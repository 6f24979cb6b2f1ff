import { goText } from './go-yaml.ts';

type Leaf = string | number | boolean;
type Node = Leaf | readonly Node[] | Mapping;
type Mapping = { readonly [key: string]: Node };

/** Without what is undefined or empty, as Go leaves it out. */
export const given = (fields: { readonly [key: string]: Node | undefined }): Mapping =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, Node] => entry[1] !== undefined && !isEmpty(entry[1])),
  );

const isEmpty = (node: Node): boolean => typeof node === 'object' && Object.keys(node).length === 0;

const isList = (node: Node): node is readonly Node[] => Array.isArray(node);

/** Four more columns for each level; a mapping in a list goes on under its first key. */
export const mapping = (fields: Mapping, column: number): string =>
  Object.entries(fields)
    .map(([key, node]) => `${' '.repeat(column)}${key}:${valueOf(node, column)}`)
    .join('');

/** What stands behind a key. Go brings the next level to a multiple of four, wherever a list has put this one. */
function valueOf(node: Node, column: number): string {
  const next = 4 * Math.floor((column + 4) / 4);
  if (typeof node !== 'object') return ` ${leaf(node, next)}\n`;
  if (isEmpty(node)) return isList(node) ? ' []\n' : ' {}\n';
  return `\n${isList(node) ? list(node, next) : mapping(node, next)}`;
}

const list = (items: readonly Node[], column: number): string =>
  items.map((item) => `${' '.repeat(column)}- ${itemOf(item, column + 2)}`).join('');

const itemOf = (item: Node, column: number): string =>
  typeof item === 'object' && !isList(item) ? mapping(item, column).trimStart() : `${leaf(item as Leaf, column)}\n`;

const leaf = (value: Leaf, column: number): string =>
  typeof value === 'string' ? goText(value, column) : String(value);

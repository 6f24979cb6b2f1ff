/**
 * One step of a path through an object, as `fieldsV1` writes it: `f:spec`, `k:{"name":"web"}`, `v:"x"`, `i:0`.
 * The text is the identity: keys are written in one order only.
 */
export type Element = string;

export const field = (name: string): Element => `f:${name}`;
export const itemByValue = (value: unknown): Element => `v:${goJson(value)}`;

export function itemByKeys(keys: Readonly<Record<string, unknown>>): Element {
  const names = Object.keys(keys).sort(byCode);
  return `k:{${names.map((name) => `${goJson(name)}:${goJson(keys[name])}`).join(',')}}`;
}

export const fieldName = (element: Element): string | undefined =>
  element.startsWith('f:') ? element.slice(2) : undefined;

/** Elements of other kinds than these are dropped by the server, as from a future that it does not know. */
export const isKnown = (element: string): boolean => /^[fkvi]:/.test(element);

/** What somebody else wrote, in the order in which we write it. */
export function normal(element: Element): Element {
  if (element.startsWith('k:')) return itemByKeys(JSON.parse(element.slice(2)) as Record<string, unknown>);
  return element.startsWith('v:') ? itemByValue(JSON.parse(element.slice(2))) : element;
}

/** `.spec`, `[name="web"]`, `[="x"]`, `[0]`: for messages. */
export function printed(element: Element): string {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  if (element.startsWith('i:')) return `[${rest}]`;
  const keys = JSON.parse(rest) as Record<string, unknown>;
  return `[${Object.entries(keys)
    .map(([name, value]) => `${name}=${goJson(value)}`)
    .join(',')}]`;
}

const order = 'fkvi';

export function compareElements(a: Element, b: Element): number {
  if (a === b) return 0;
  const kind = order.indexOf(a.charAt(0)) - order.indexOf(b.charAt(0));
  if (kind !== 0) return kind;
  if (a.startsWith('f:')) return byCode(a, b);
  if (a.startsWith('i:')) return Number(a.slice(2)) - Number(b.slice(2));
  if (a.startsWith('v:')) return compareValues(JSON.parse(a.slice(2)), JSON.parse(b.slice(2)));
  return compareKeys(
    Object.entries(JSON.parse(a.slice(2)) as Record<string, unknown>),
    Object.entries(JSON.parse(b.slice(2)) as Record<string, unknown>),
  );
}

function compareKeys(a: readonly (readonly [string, unknown])[], b: readonly (readonly [string, unknown])[]): number {
  for (const [at, [name, value]] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const difference = byCode(name, other[0]) || compareValues(value, other[1]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Numbers before text before truth, as the server sorts them. */
function compareValues(a: unknown, b: unknown): number {
  const rank = (value: unknown): number => ['number', 'string', 'boolean'].indexOf(typeof value);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  return typeof a === 'number' ? a - (b as number) : byCode(String(a), String(b));
}

export const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** JSON as Go writes it: signs that HTML would take for its own are escaped. */
const goJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

import { masked } from './masks.ts';

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts that are compared word for word wherever they stand: refusals, ends of tasks, lines of logs. */
const wordForWord = new Set(['message', 'errors', 'exitstatus', 't']);
/** What tells the rows of a list apart; both sides must list the same. */
const identities = [
  'volid',
  'vmid',
  'storage',
  'poolid',
  'userid',
  'tokenid',
  'roleid',
  'rule',
  'sid',
  'group',
  'iface',
  'subdir',
  'key',
  'cidr',
  'n',
];

/** Values that whoever recorded them has put something else in the place of. */
const blacked = /^<(stubbed|not from the Proxmox QEMU build|secret)>$/;

/** Where two bodies differ: keys, types, and the texts that matter. Empty: alike. */
export function bodyDifferences(expected: unknown, actual: unknown): readonly string[] {
  return differences(expected, actual, '', false);
}

function differences(expected: unknown, actual: unknown, at: string, exact: boolean): readonly string[] {
  if (typeof expected === 'string' && blacked.test(expected)) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) return listDifferences(expected, actual, at, exact);
  if (isTree(expected) && isTree(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return keys.flatMap((key) => {
      const path = `${at}.${key}`;
      if (!(key in actual)) return [`${path}: missing, was ${shown(expected[key])}`];
      if (!(key in expected)) return [`${path}: new, ${shown(actual[key])}`];
      return differences(expected[key], actual[key], path, exact || wordForWord.has(key));
    });
  }
  const [one, other] = [typeOf(expected), typeOf(actual)];
  if (one !== other) return [`${at}: ${one} ${shown(expected)}, not ${other} ${shown(actual)}`];
  if (!exact && at !== '.data') return [];
  return inOrder(expected) === inOrder(actual) ? [] : [`${at}: ${shown(expected)}, not ${shown(actual)}`];
}

/** Complaints about several keys of one property string come in any order. */
const inOrder = (value: unknown): string => {
  const text = masked(String(value));
  return text.startsWith('invalid format - format error\n') ? text.split('\n').toSorted().join('\n') : text;
};

/** Rows are found by what tells them apart; rows that nothing tells apart must have the same shapes. */
function listDifferences(
  expected: readonly unknown[],
  actual: readonly unknown[],
  at: string,
  exact: boolean,
): readonly string[] {
  const identity = identities.find((key) => expected.every((row) => isTree(row) && row[key] !== undefined));
  if (identity === undefined || expected.length === 0) return shapeDifferences(expected, actual, at);
  const byId = (rows: readonly unknown[]): Map<string, unknown> =>
    new Map(rows.filter((row) => isTree(row)).map((row) => [masked(String(row[identity])), row]));
  const [one, other] = [byId(expected), byId(actual)];
  return [
    ...[...one].flatMap(([id, row]) =>
      other.has(id) ? differences(row, other.get(id), `${at}[${id}]`, exact) : [`${at}[${id}]: missing`],
    ),
    ...[...other.keys()].filter((id) => !one.has(id)).map((id) => `${at}[${id}]: new`),
  ];
}

function shapeDifferences(expected: readonly unknown[], actual: readonly unknown[], at: string): readonly string[] {
  const [one, other] = [new Set(expected.map(shape)), new Set(actual.map(shape))];
  return [
    ...[...one].filter((each) => !other.has(each)).map((each) => `${at}: nothing like ${each}`),
    ...[...other].filter((each) => !one.has(each)).map((each) => `${at}: new is ${each}`),
  ];
}

const shape = (value: unknown): string =>
  isTree(value)
    ? `{${Object.keys(value)
        .toSorted()
        .map((key) => `${key}:${shape(value[key])}`)
        .join(',')}}`
    : Array.isArray(value)
      ? `[${[...new Set(value.map(shape))].toSorted().join('|')}]`
      : typeOf(value);

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 300);

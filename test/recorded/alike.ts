/** Keys whose values are of the moment: only that they are there is compared. */
const ofTheMoment = new Set([
  'created',
  'updated',
  'created_at',
  'last_change',
  'modified',
  'bookmark',
  'actor_id',
  'raft_index',
  'raft_applied_index',
  'raft_term',
  'db_size',
  'db_size_in_use',
  'digest',
  'pid',
  'size',
  'mode_of_file',
  'localtime',
  'remotetime',
]);

const masked = /^<(masked|bytes|trimmed)>$/;

/** Texts of two runs are the same up to places, numbers of processes, and ids. */
export const plain = (text: string): string =>
  text
    .replaceAll(/127\.91\.0\./g, '10.5.0.')
    .replaceAll(/(ghcr\.io\/siderolabs|registry\.k8s\.io)\//g, '<registry>/')
    .replaceAll(/PID \d+/g, 'PID n')
    .replaceAll(/\b\d{17,20}\b/g, '<member>')
    .replaceAll(/^[0-9a-v]{20}$/g, '<xid>')
    .replaceAll(/ on [^ ]+:53:/g, ' on <server>:53:')
    .replaceAll(/read udp [^ ]+->[^ ]+:(\d+):/g, 'read udp <local>-><server>:$1:')
    .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:…')
    .replaceAll(/\(line \d\d+\)/g, '(line n)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>');

/** Where two values differ, as paths with both sides; empty when they are alike. */
export function differences(expected: unknown, actual: unknown, at = ''): readonly string[] {
  if (typeof expected === 'string' && masked.test(expected)) return actual === undefined ? [`${at}: missing`] : [];
  if (typeof expected === 'string' && typeof actual === 'string') return textDifference(expected, actual, at);
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return [`${at}: ${expected.length} items, not ${actual.length}`];
    return expected.flatMap((each, index) => differences(each, actual[index], `${at}[${index}]`));
  }
  if (isTree(expected) && isTree(actual)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    return keys.flatMap((key) => {
      // When a service changed was left out of the recordings.
      if (key === 'ts') return [];
      if (ofTheMoment.has(key)) return key in expected === key in actual ? [] : [`${at}.${key}: on one side only`];
      return differences(expected[key], actual[key], `${at}.${key}`);
    });
  }
  return Object.is(expected, actual) ? [] : [`${at}: ${JSON.stringify(expected)}, not ${JSON.stringify(actual)}`];
}

function textDifference(expected: string, actual: string, at: string): readonly string[] {
  const [one, other] = [plain(expected), plain(actual)];
  if (one === other) return [];
  // A text that ends in a mask holds as far as it goes.
  const shown = one.indexOf('<masked>');
  if (shown >= 0 && other.startsWith(one.slice(0, shown))) return [];
  return [`${at}: ${JSON.stringify(one.slice(0, 300))}, not ${JSON.stringify(other.slice(0, 300))}`];
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

import { isDeepStrictEqual } from 'node:util';
import { badRequest, Refusal, tooLarge } from '../refusal.ts';

const mostOperations = 10_000;

type Container = unknown[] | Record<string, unknown>;
type Operation = { readonly op?: unknown; readonly path?: unknown; readonly from?: unknown; readonly value?: unknown };

/** RFC 6902, as forgiving as the API server: `replace` of a field that is not there sets it. Why one fails it keeps to itself. */
export function jsonPatch(document: unknown, operations: unknown): unknown {
  if (!Array.isArray(operations)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonType(operations)} into Go value of type []handlers.jsonPatchOp`,
    );
  }
  if (operations.length > mostOperations) {
    throw tooLarge(`The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`);
  }
  let result = structuredClone(document);
  for (const operation of operations as readonly Operation[]) result = step(result, operation);
  return result;
}

function step(document: unknown, { op, path, from, value }: Operation): unknown {
  if (path === '' && op === 'replace') return structuredClone(value);
  switch (op) {
    case 'add':
      add(find(document, path), structuredClone(value ?? null));
      return document;
    case 'replace':
      replace(find(document, path), structuredClone(value ?? null));
      return document;
    case 'remove':
      remove(find(document, path));
      return document;
    case 'move': {
      const moved = remove(find(document, from));
      add(find(document, path), moved);
      return document;
    }
    case 'copy':
      add(find(document, path), structuredClone(read(find(document, from)) ?? null));
      return document;
    case 'test': {
      const actual = path === '' ? document : read(find(document, path));
      if (!isDeepStrictEqual(actual ?? null, value ?? null)) throw unprocessable();
      return document;
    }
    default:
      throw unprocessable();
  }
}

type Place = { readonly container: Container; readonly key: string };

/** What holds the last step of a path. */
function find(document: unknown, path: unknown): Place {
  const parts = typeof path === 'string' ? path.split('/').slice(1).map(unescape) : [];
  const key = parts.pop();
  const container = parts.reduce(
    (at, part) => (isContainer(at) ? read({ container: at, key: part }) : undefined),
    document,
  );
  if (key === undefined || !isContainer(container)) throw unprocessable();
  return { container, key };
}

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;
const unescape = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** A place in a list of this many; negative ones count from the end. */
function indexOf(key: string, length: number): number {
  const index = /^[+-]?\d+$/.test(key) ? Number(key) : NaN;
  const at = index < 0 ? index + length : index;
  if (!(at >= 0 && at < length)) throw unprocessable();
  return at;
}

const read = ({ container, key }: Place): unknown =>
  Array.isArray(container) ? container[indexOf(key, container.length)] : container[key];

function add({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) container[key] = value;
  else if (key === '-') container.push(value);
  else container.splice(indexOf(key, container.length + 1), 0, value);
}

function replace({ container, key }: Place, value: unknown): void {
  if (Array.isArray(container)) container[indexOf(key, container.length)] = value;
  else container[key] = value;
}

function remove({ container, key }: Place): unknown {
  if (Array.isArray(container)) return container.splice(indexOf(key, container.length), 1)[0];
  if (!(key in container)) throw unprocessable();
  const { [key]: value } = container;
  delete container[key];
  return value;
}

/** A patch that does not fit the object. */
export const unprocessable = (): Refusal =>
  new Refusal({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'the server rejected our request due to an error in our request',
    reason: 'Invalid',
    details: {},
    code: 422,
  });

export function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

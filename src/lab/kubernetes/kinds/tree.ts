/** Objects as they come, where a field may be anything until it is looked at. */
export type Tree = { [field: string]: unknown };

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An empty one where there is none. */
export const tree = (value: unknown): Tree => (isTree(value) ? value : {});

/** Where there is none, one is put there. */
export function within(parent: Tree, name: string): Tree {
  const child = parent[name];
  if (isTree(child)) return child;
  const made: Tree = {};
  parent[name] = made;
  return made;
}

export const trees = (value: unknown): readonly Tree[] => (Array.isArray(value) ? value.filter(isTree) : []);
export const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
export const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Numbers and truths as they are written, too. */
export const written = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : text(value);

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Sets what is not there. */
export function fill(target: Tree, values: Tree): void {
  for (const [name, value] of Object.entries(values)) {
    const current = target[name];
    if (current === undefined || current === null || current === '') target[name] = value;
  }
}

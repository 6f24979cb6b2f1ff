/** A name (`*`: everything), a place in a list, or the items whose field is equal to something. */
export type Step = string | number | { readonly field: readonly string[]; readonly equals: unknown };

/** `.spec.ports[0].name`, `.status.conditions[?(@.type=="Ready")].status`; undefined: that is more than a column needs. */
export function parsePath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  const pattern =
    /\.([A-Za-z0-9_$-]+(?:\\\.[A-Za-z0-9_$/-]+)*)|\[(\d+)\]|\[\*\]|\['([^']+)'\]|\["([^"]+)"\]|\[\?\(@((?:\.[A-Za-z0-9_-]+)+)\s*==\s*(?:"([^"]*)"|'([^']*)'|(\w+))\)\]/y;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    if (match === null) return undefined;
    const [, name, index, single, double, field, inDouble, inSingle, bare] = match;
    if (name !== undefined) steps.push(name.replaceAll('\\.', '.'));
    else if (index !== undefined) steps.push(Number(index));
    else if (single !== undefined || double !== undefined) steps.push(single ?? double ?? '');
    else if (field !== undefined)
      steps.push({ field: field.slice(1).split('.'), equals: inDouble ?? inSingle ?? plain(bare ?? '') });
    else steps.push('*');
  }
  return steps;
}

const plain = (word: string): unknown => (word === 'true' ? true : word === 'false' ? false : Number(word));

/** Every value that a path leads to. */
export function valuesAt(steps: readonly Step[], value: unknown): readonly unknown[] {
  return steps.reduce<readonly unknown[]>((values, step) => values.flatMap((each) => next(step, each)), [value]);
}

function next(step: Step, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) {
    if (step === '*') return value as unknown[];
    if (typeof step === 'number') return step < value.length ? [value[step] as unknown] : [];
    if (typeof step === 'object')
      return value.filter((each) => valuesAt(step.field, each)[0] === step.equals) as unknown[];
    return [];
  }
  if (typeof value !== 'object' || value === null || typeof step !== 'string') return [];
  if (step === '*') return Object.values(value);
  return Object.hasOwn(value, step) ? [(value as Readonly<Record<string, unknown>>)[step]] : [];
}

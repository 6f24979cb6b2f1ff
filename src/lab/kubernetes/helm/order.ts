/** What helm was told on its command line, as far as the lab’s helm can do it. */
export type HelmOrder = {
  readonly release: string;
  readonly chart: string;
  readonly repository: string | undefined;
  readonly version: string | undefined;
  readonly namespace: string;
  readonly valuesFiles: readonly string[];
  readonly install: boolean;
  readonly historyMax: number;
};

/** Helm ends with 1, and says why. */
export class HelmError extends Error {}

const aliases: Readonly<Record<string, string>> = { '-n': '--namespace', '-f': '--values', '-i': '--install' };
const withValue: ReadonlySet<string> = new Set([
  '--repo',
  '--version',
  '--namespace',
  '--values',
  '--history-max',
  '--timeout',
]);
const alone: ReadonlySet<string> = new Set(['--install', '--reset-values', '--create-namespace', '--wait', '--atomic']);

/** The words behind `helm`. */
export function helmOrder(words: readonly string[]): HelmOrder {
  const given = new Map<string, string[]>();
  const places: string[] = [];
  const left = words.flatMap((word) =>
    /^--[^=]+=/.test(word) ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word],
  );
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const option = aliases[word] ?? word;
    if (!option.startsWith('-')) places.push(option);
    else if (withValue.has(option)) given.set(option, [...(given.get(option) ?? []), left.shift() ?? '']);
    else if (alone.has(option)) given.set(option, []);
    else throw new HelmError(`Error: unknown flag: ${option}`);
  }
  const [verb, release, chart, ...others] = places;
  if (verb !== 'upgrade' && verb !== 'install')
    throw new HelmError(`Error: unknown command "${verb ?? ''}" for "helm"`);
  if (release === undefined || chart === undefined || others.length > 0)
    throw new HelmError(`Error: "helm ${verb}" requires 2 arguments`);
  const last = (option: string): string | undefined => given.get(option)?.at(-1);
  return {
    release,
    chart,
    repository: last('--repo'),
    version: last('--version'),
    namespace: last('--namespace') ?? 'default',
    valuesFiles: given.get('--values') ?? [],
    install: verb === 'install' || given.has('--install'),
    historyMax: Number(last('--history-max') ?? 10),
  };
}

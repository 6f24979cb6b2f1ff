/** {platform}, {pool}, {index} from 0, {number} from 1; {number:2} has at least two digits. */
const placeholder = /\{(platform|pool|index|number)(?::(\d))?\}/g;

export function fillName(template: string, values: { platform: string; pool: string; index: number }): string {
  return template.replace(placeholder, (_, key: string, digits: string | undefined) => {
    if (key === 'platform') return values.platform;
    if (key === 'pool') return values.pool;
    const number = values.index + (key === 'number' ? 1 : 0);
    return String(number).padStart(Number(digits ?? 1), '0');
  });
}

export const unknownPlaceholders = (template: string): readonly string[] =>
  [...template.replace(placeholder, '').matchAll(/\{[^}]*\}?|\}/g)].map((match) => match[0]);

const counts = /\{(index|number)(:\d)?\}/;

/** Whether every machine gets a name of its own by it. */
export const isSound = (template: string): boolean =>
  unknownPlaceholders(template).length === 0 && counts.test(template);

export const countsAcrossPools = (workerTemplate: string): boolean => !workerTemplate.includes('{pool');

/** So many names as a sentence can take. */
export const fewOf = (names: readonly string[]): string =>
  names.length > 6 ? `${names.slice(0, 5).join(', ')}, … ${names.at(-1)}` : names.join(', ') || 'none';

/** People may leave the platform's name away where they name a machine. */
export function machineNamed<T extends { readonly name: string }>(
  written: string,
  platform: string,
  machines: ReadonlyMap<string, T>,
): T | undefined {
  return machines.get(written) ?? machines.get(`${platform}-${written}`);
}

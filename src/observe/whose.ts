import type { WorldMachine } from '../model/world.ts';
import type { Wanted } from './eyes.ts';

/** By what machines are recognised where others tell of them. */
export type Known = {
  readonly machines: readonly WorldMachine[];
  readonly hostname: Wanted['hostname'];
};

/** Finds the machine behind a node or member: by the name that it says itself, the one it was given, or an address of its own. */
export function machineFinder({ machines, hostname }: Known): Finder {
  const byAddress = onlyOne(machines.flatMap(({ name, address }) => (address === undefined ? [] : [[address, name]])));
  const saying = onlyOne(machines.flatMap(({ name, talos }) => saidName(talos).map((said) => [said, name] as const)));
  const given = new Map(
    machines.map(({ name, wanted }) => [(wanted ? hostname(name) : undefined) ?? name, name] as const),
  );
  return (name, addresses) =>
    saying.get(name) ??
    addresses.map((address) => byAddress.get(address)).find((found) => found !== undefined) ??
    given.get(name);
}

/** What two of them have tells of neither. */
function onlyOne(pairs: readonly (readonly [key: string, machine: string])[]): ReadonlyMap<string, string> {
  const twice = new Set(pairs.map(([key]) => key).filter((key, index, keys) => keys.indexOf(key) !== index));
  return new Map(pairs.filter(([key]) => !twice.has(key)));
}

type Finder = (name: string, addresses: readonly string[]) => string | undefined;

const saidName = (talos: WorldMachine['talos']): readonly string[] =>
  talos.kind === 'known' && talos.value?.kind === 'ours' ? [talos.value.hostname] : [];

/** `https://[fd00::5]:2380` → `fd00::5`. */
export const hostOfUrl = (url: string): readonly string[] =>
  URL.canParse(url) ? [new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')] : [];

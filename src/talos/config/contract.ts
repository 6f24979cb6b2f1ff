import { minorOf, parseVersion, type Version } from '../../model/version.ts';

/** The minors whose configuration ichor writes; one renderer each, differences as tables. */
export const contracts = ['1.9', '1.10', '1.11', '1.12', '1.13', '1.14'] as const;

export type Contract = (typeof contracts)[number];

/** Between which contracts something is written, both included; absent: from the first, to the last. */
export type Span = { readonly since?: Contract; readonly until?: Contract };

export function contractOf(version: Version): Contract | undefined {
  const minor = minorOf(version);
  return contracts.find((contract) => contract === minor);
}

export const isWithin = (contract: Contract, { since, until }: Span): boolean =>
  contracts.indexOf(contract) >= contracts.indexOf(since ?? '1.9') &&
  contracts.indexOf(contract) <= contracts.indexOf(until ?? '1.14');

/** Releases from which `auto: off` may stand without a hostname; before them the document must be left out. */
const offAlone: Readonly<Partial<Record<Contract, string>>> = {
  '1.12': 'v1.12.9',
  '1.13': 'v1.13.3',
  '1.14': 'v1.14.0',
};

export function knowsOffAlone(version: Version): boolean {
  const contract = contractOf(version);
  const first = contract && parseVersion(offAlone[contract] ?? '');
  return first !== undefined && version.patch >= first.patch;
}

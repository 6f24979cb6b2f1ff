import { createHash } from 'node:crypto';

/** Properties of a rule, as they were given; `enable` is 0 or 1. */
export type Rule = Map<string, string>;

export type Alias = { readonly name: string; readonly cidr: string; readonly comment: string | undefined };

type IpSetEntry = { readonly cidr: string; nomatch: boolean; comment: string | undefined };

export type IpSet = { comment: string | undefined; entries: IpSetEntry[] };

export type SecurityGroup = { comment: string | undefined; rules: Rule[] };

/** A file of the firewall: of the cluster, or of one VM. */
export class FirewallFile {
  readonly options = new Map<string, string>();
  rules: Rule[] = [];
  /** By name in small letters. */
  readonly aliases = new Map<string, Alias>();
  readonly ipsets = new Map<string, IpSet>();
  /** Only of the cluster. */
  readonly groups = new Map<string, SecurityGroup>();
}

export type Row = Readonly<Record<string, string | number | undefined>>;

/** Each part of a file has a digest of its own: the hash of what is shown of it, key by key. */
export function digestOf(rows: readonly Row[]): string {
  const hash = createHash('sha1');
  for (const row of rows)
    for (const key of Object.keys(row).toSorted()) if (row[key] !== undefined) hash.update(`${key}:${row[key]}\n`);
  return hash.digest('hex');
}

/** Rows of a list, each with the digest of the whole list. */
export function withDigest(rows: readonly Row[]): readonly Row[] {
  const digest = digestOf(rows);
  return rows.map((row) => ({ ...shown(row), digest }));
}

/** Without what nobody set. */
export const shown = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));

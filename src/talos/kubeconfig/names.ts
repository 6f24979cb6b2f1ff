import { isDeepStrictEqual } from 'node:util';
import { freeName } from '../talosconfig/merge.ts';
import type { Fields, Kubeconfig } from './read.ts';

export type Section = 'clusters' | 'users' | 'contexts';

/** What to do with a name that stands for something else already: `renew` replaces it only when it is the same cluster. */
export type Conflict = 'renew' | 'rename' | 'overwrite';

export type Rename = { readonly section: Section; readonly from: string; readonly to: string };

export type Names = {
  readonly nameIn: (section: Section, name: string) => string;
  /** What a context says about its cluster and user. */
  readonly references: (context: Fields | undefined) => Fields;
  readonly renames: readonly Rename[];
};

/** Under which names the parts of one kubeconfig go into another. */
export function settleNames(before: Kubeconfig, adding: Kubeconfig, conflict: Conflict): Names {
  const settled = new Settled(before, conflict);
  const renews = conflict === 'renew';
  for (const { name, cluster } of adding.clusters) {
    const old = before.clusters.find((item) => item.name === name)?.cluster;
    settled.settle('clusters', name, name, isDeepStrictEqual(old, cluster) || (renews && isSameCluster(old, cluster)));
  }
  const isRenewed = (context: Fields | undefined): boolean =>
    renews && before.clusters.some(({ name }) => name === context?.['cluster'] && settled.keeps('clusters', name));
  for (const { name, user } of adding.users) {
    const wanted = settled.following(name);
    const old = before.users.find((item) => item.name === wanted)?.user;
    const uses = before.contexts.filter(({ context }) => context?.['user'] === wanted);
    const isOurs = uses.length > 0 && uses.every(({ context }) => isRenewed(context));
    settled.settle('users', name, wanted, isOurs || isDeepStrictEqual(old, user));
  }
  for (const { name, context } of adding.contexts) {
    // Talos gives a context the name of its user.
    const wanted = settled.keeps('users', name) ? settled.following(name) : settled.nameIn('users', name);
    const old = before.contexts.find((item) => item.name === wanted)?.context;
    const becomes = { ...context, ...settled.references(context) };
    settled.settle('contexts', name, wanted, isRenewed(old) || isDeepStrictEqual({ ...old }, becomes));
  }
  return settled.names();
}

/** One authority, one cluster, wherever it is reached. */
const isSameCluster = (old: Fields | undefined, added: Fields | undefined): boolean =>
  old?.['certificate-authority-data'] !== undefined &&
  old['certificate-authority-data'] === added?.['certificate-authority-data'];

class Settled {
  readonly #before: Kubeconfig;
  readonly #conflict: Conflict;
  readonly #names: Readonly<Record<Section, Map<string, string>>> = {
    clusters: new Map(),
    users: new Map(),
    contexts: new Map(),
  };

  constructor(before: Kubeconfig, conflict: Conflict) {
    this.#before = before;
    this.#conflict = conflict;
  }

  settle(section: Section, name: string, wanted: string, isSame: boolean): void {
    const isTaken = (other: string): boolean => this.#before[section].some((item) => item.name === other);
    const keeps = isSame || this.#conflict === 'overwrite';
    this.#names[section].set(name, keeps ? wanted : freeName(wanted, isTaken));
  }

  keeps(section: Section, name: string): boolean {
    return this.#names[section].get(name) === name;
  }

  nameIn(section: Section, name: string): string {
    return this.#names[section].get(name) ?? name;
  }

  references(context: Fields | undefined): Fields {
    return {
      cluster: this.nameIn('clusters', String(context?.['cluster'])),
      user: this.nameIn('users', String(context?.['user'])),
    };
  }

  /** Names of users and contexts end in their cluster’s and follow it when it is renamed. */
  following(name: string): string {
    for (const [from, to] of this.#names.clusters)
      if (name.endsWith(`@${from}`)) return `${name.slice(0, -from.length)}${to}`;
    return name;
  }

  names(): Names {
    return {
      nameIn: (section, name) => this.nameIn(section, name),
      references: (context) => this.references(context),
      renames: (['clusters', 'users', 'contexts'] as const).flatMap((section) =>
        [...this.#names[section]].flatMap(([from, to]) => (from === to ? [] : [{ section, from, to }])),
      ),
    };
  }
}

type SubjectKind = 'user' | 'group' | 'token';
export type Subject = { readonly kind: SubjectKind; readonly id: string };

/** One right that was given. */
type Grant = Subject & { readonly path: string; readonly role: string; readonly propagate: boolean };

/** Roles by name, each with whether it goes on to what lies below. */
export type Roles = ReadonlyMap<string, boolean>;

/** Who has which role where. */
export interface Acl {
  grant(grant: Grant): void;
  revoke(grant: Omit<Grant, 'propagate'>): void;
  /** Everything on this path, or everything of somebody, is gone. */
  forget(what: { readonly path: string } | { readonly subjects: (subject: Subject) => boolean }): void;
  all(): readonly Grant[];
  paths(): readonly string[];
  /** Roles at a path. Whoever is named further down counts alone: what was said above is replaced, not added to. */
  rolesOf(who: Subject, groups: ReadonlySet<string>, path: string): Roles;
}

export function createAcl(): Acl {
  const grants = new Map<string, Map<string, Grant>>();
  const keyOf = ({ kind, id, role }: Omit<Grant, 'path' | 'propagate'>): string => `${kind} ${id} ${role}`;
  const drop = (path: string, key: string): void => {
    const here = grants.get(path);
    here?.delete(key);
    if (here?.size === 0) grants.delete(path);
  };
  return {
    grant: (grant) => {
      const here = grants.get(grant.path) ?? new Map<string, Grant>();
      here.set(keyOf(grant), grant);
      grants.set(grant.path, here);
    },
    revoke: (grant) => drop(grant.path, keyOf(grant)),
    forget: (what) => {
      if ('path' in what) grants.delete(what.path);
      else
        for (const [path, here] of grants) for (const [key, grant] of here) if (what.subjects(grant)) drop(path, key);
    },
    all: () => [...grants.values()].flatMap((here) => [...here.values()]),
    paths: () => [...grants.keys()],
    rolesOf: (who, groups, path) => {
      let roles: Roles = new Map();
      for (const step of stepsTo(path)) {
        const here = [...(grants.get(step)?.values() ?? [])].filter(({ propagate }) => propagate || step === path);
        const own = here.filter(({ kind, id }) => kind === who.kind && id === who.id);
        const shared = who.kind === 'user' ? here.filter(({ kind, id }) => kind === 'group' && groups.has(id)) : [];
        const said = own.length > 0 ? own : shared;
        if (said.length > 0) roles = new Map(said.map(({ role, propagate }) => [role, propagate]));
      }
      const none = roles.get('NoAccess');
      return none === undefined ? roles : new Map([['NoAccess', none]]);
    },
  };
}

/** `/`, `/sdn`, `/sdn/zones` … to the path itself. */
function stepsTo(path: string): readonly string[] {
  const names = path.split('/').filter((each) => each !== '');
  return ['/', ...names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)];
}

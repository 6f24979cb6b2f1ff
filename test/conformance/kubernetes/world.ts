import { randomBytes } from 'node:crypto';
import type { KubeList, KubeObject, Status } from '../../../src/wire/kubernetes/objects.ts';
import type { Asked, Caller, Told } from './call.ts';
import type { Authority } from './pki.ts';
import { Watched } from './watched.ts';

/** What a case has in hand: the server, and a namespace that nobody else uses. */
export type World = Disposable & {
  readonly ns: string;
  /** Whose certificates the server trusts. */
  readonly clients: Authority;
  /** Makes the server forget everything but what is now. */
  readonly forget: () => Promise<void>;
  /**
   * `POST configmaps`, `GET apps/v1/deployments/web?pretty=1`: of the own namespace. With a slash in front it is the path
   * as it is. `{ns}` is the namespace, in texts too.
   */
  readonly ask: (call: string, body?: unknown, asked?: Asked) => Promise<Told>;
  /** The same, and it goes well. */
  readonly get: (call: string, asked?: Asked) => Promise<KubeObject>;
  readonly list: (call: string, asked?: Asked) => Promise<KubeList>;
  readonly make: (call: string, body: unknown, asked?: Asked) => Promise<KubeObject>;
  readonly put: (call: string, body: unknown, asked?: Asked) => Promise<KubeObject>;
  readonly patch: (call: string, body: unknown, asked?: Asked) => Promise<KubeObject>;
  readonly apply: (call: string, body: unknown, manager: string, force?: boolean) => Promise<KubeObject>;
  readonly remove: (call: string, body?: unknown) => Promise<KubeObject | Status>;
  readonly watch: (call: string, asked?: Asked) => Promise<Watched>;
  /** Asks until it holds. */
  readonly until: <T>(what: string, ask: () => Promise<T | undefined | false>) => Promise<T>;
};

export const patches = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

/** `configmaps/a` and `apps/v1/deployments/a` of a namespace, as paths. */
export function pathOf(call: string, ns: string): string {
  if (call.startsWith('/')) return call;
  const [first = '', second = ''] = call.split(/[/?]/);
  const grouped = /^v\d+((alpha|beta)\d+)?$/.test(second);
  return grouped
    ? `/apis/${first}/${second}/namespaces/${ns}/${call.slice(first.length + second.length + 2)}`
    : `/api/v1/namespaces/${ns}/${call}`;
}

export function worldOf(
  caller: Caller,
  { clients, forget, patienceMs }: Pick<World, 'clients' | 'forget'> & { readonly patienceMs: number },
  ns: string,
): World {
  const open: Watched[] = [];
  const named = <T>(value: T): T =>
    value === undefined ? value : (JSON.parse(JSON.stringify(value).replaceAll('{ns}', ns)) as T);
  const ask: World['ask'] = (call, body, asked) => {
    const [method = '', path = ''] = call.replaceAll('{ns}', ns).split(' ');
    return caller.ask(method, pathOf(path, ns), { ...asked, ...(body === undefined ? {} : { body: named(body) }) });
  };
  const well = async <T>(call: string, body?: unknown, asked?: Asked): Promise<T> => {
    const answer = await ask(call, body, asked);
    if (answer.status >= 300) throw new Error(`${call}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as T;
  };
  return {
    ns,
    clients,
    forget,
    ask,
    get: (call, asked) => well(`GET ${call}`, undefined, asked),
    list: (call, asked) => well(`GET ${call}`, undefined, asked),
    make: (call, body, asked) => well(`POST ${call}`, body, asked),
    put: (call, body, asked) => well(`PUT ${call}`, body, asked),
    patch: (call, body, asked) => well(`PATCH ${call}`, body, asked),
    apply: (call, body, manager, force = false) =>
      well(`PATCH ${call}?fieldManager=${manager}${force ? '&force=true' : ''}`, body, { type: patches.apply }),
    remove: (call, body) => well(`DELETE ${call}`, body),
    watch: async (call, asked) => {
      const path = pathOf(call.replaceAll('{ns}', ns), ns);
      const watched = new Watched(await caller.open('GET', path, asked), patienceMs);
      open.push(watched);
      return watched;
    },
    until: async (what, holds) => {
      for (const end = Date.now() + patienceMs; ;) {
        const found = await holds();
        if (found !== undefined && found !== false) return found;
        if (Date.now() > end) throw new Error(`It did not come to pass in time: ${what}.`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    [Symbol.dispose]: () => {
      for (const watched of open) watched[Symbol.dispose]();
    },
  };
}

/** Short, and of this run alone. */
export const freshName = (prefix: string): string => `${prefix}-${randomBytes(4).toString('hex')}`;

/** Waits until it is not there any more. */
export const gone = (world: World, call: string): Promise<true> =>
  world.until(`${call} is gone`, async () => ((await world.ask(`GET ${call}`)).status === 404 ? true : undefined));

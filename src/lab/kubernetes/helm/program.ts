import { parse } from 'yaml';
import { rbacAuthorizer } from '../access/rbac.ts';
import type { Api } from '../api.ts';
import { Refusal } from '../refusal.ts';
import { renderedChart } from './charts.ts';
import { HelmError, helmOrder } from './order.ts';
import type { Values } from './record.ts';
import { upgradeRelease } from './release.ts';

type Container = {
  readonly name: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
};

type HelmPod = {
  readonly metadata: { readonly namespace?: string };
  readonly spec: {
    readonly serviceAccountName?: string;
    readonly volumes?: readonly {
      readonly name: string;
      readonly secret?: { readonly secretName?: string };
      readonly configMap?: { readonly name?: string };
    }[];
  };
};

export type Ended = { readonly code: number; readonly lines: readonly string[] };

/** Does what helm in a container would, where the cluster reaches the internet. Undefined: something else runs in it. */
export function runHelm(api: Api, now: Date, pod: HelmPod, container: Container): Ended | undefined {
  const [program, ...words] = [...(container.command ?? []), ...(container.args ?? [])];
  if (program?.split('/').at(-1) !== 'helm') return undefined;
  try {
    const order = helmOrder(words);
    const values = order.valuesFiles.map((path) => valuesIn(api, pod, container, path)).reduce(laidOver, {});
    mayKeepReleases(api, pod, order.namespace);
    return { code: 0, lines: upgradeRelease(api, now, order, renderedChart(order, values), values).split('\n') };
  } catch (error) {
    if (error instanceof HelmError) return { code: 1, lines: [error.message] };
    if (error instanceof Refusal) return { code: 1, lines: [`Error: ${error.message}`] };
    throw error;
  }
}

function valuesIn(api: Api, { metadata, spec }: HelmPod, { volumeMounts = [] }: Container, path: string): Values {
  const mount = volumeMounts.find(({ mountPath }) => path.startsWith(`${mountPath.replace(/\/$/, '')}/`));
  const volume = spec.volumes?.find(({ name }) => name === mount?.name);
  const key = path.slice((mount?.mountPath.replace(/\/$/, '').length ?? 0) + 1);
  const text =
    volume?.secret === undefined
      ? dataOf(api, '/configmaps', metadata.namespace, volume?.configMap?.name)[key]
      : decoded(dataOf(api, '/secrets', metadata.namespace, volume.secret.secretName)[key]);
  if (text === undefined) throw new HelmError(`Error: open ${path}: no such file or directory`);
  return (parse(text) ?? {}) as Values;
}

const decoded = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'base64').toString('utf8');

const dataOf = (
  api: Api,
  resource: string,
  namespace: string | undefined,
  name: string | undefined,
): Readonly<Record<string, string>> =>
  (api.get(resource, namespace, name ?? '')?.['data'] ?? {}) as Readonly<Record<string, string>>;

const isMapping = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A later file wins, mapping by mapping. */
const laidOver = (under: Values, over: Values): Values => ({
  ...under,
  ...Object.fromEntries(
    Object.entries(over).map(([key, value]) => {
      const below = under[key];
      return [key, isMapping(below) && isMapping(value) ? laidOver(below, value) : value];
    }),
  ),
});

/** Without rights helm fails at the first thing that it asks for: its own records. */
function mayKeepReleases(api: Api, { metadata, spec }: HelmPod, namespace: string): void {
  const own = metadata.namespace ?? 'default';
  const name = `system:serviceaccount:${own}:${spec.serviceAccountName ?? 'default'}`;
  const user = { name, groups: ['system:serviceaccounts', `system:serviceaccounts:${own}`, 'system:authenticated'] };
  const authorize = rbacAuthorizer(api);
  for (const verb of ['list', 'create']) {
    const resource = {
      group: '',
      version: 'v1',
      resource: 'secrets',
      subresource: undefined,
      namespace,
      name: undefined,
    };
    if (!authorize({ user, verb, path: '', resource }).isAllowed)
      throw new HelmError(
        `Error: query: failed to query with labels: secrets is forbidden: User "${name}" cannot ${verb} resource "secrets" in API group "" in the namespace "${namespace}"`,
      );
  }
}

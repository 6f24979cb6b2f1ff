import { readFile } from 'node:fs/promises';
import { nearest } from '../../../model/nearest.ts';
import { Problem } from '../../../model/problem.ts';
import type { ClientCertificate, KubernetesCredentials, KubernetesTarget } from '../../kubernetes.ts';
import { inCluster } from './in-cluster.ts';
import { loadKubeconfigs, type Loaded, type Surroundings } from './load.ts';
import { proxyFromEnvironment } from './proxies.ts';
import type { Cluster, Context, Given, Kubeconfig, User } from './read.ts';

export type Choice = {
  /** One file instead of those that the environment names. */
  readonly file?: string;
  /** Another context than the current one. */
  readonly context?: string;
  /** Where a pod’s own credentials are, for tests. */
  readonly serviceAccount?: string;
};

/** Where the cluster is and who we are, as kubectl would find it. Throws Problem or Problems. */
export async function findKubernetes(choice: Choice, surroundings: Surroundings): Promise<KubernetesTarget> {
  const loaded = await loadKubeconfigs(choice.file, surroundings);
  if (isEmpty(loaded.config) && choice.context === undefined) {
    const own = choice.file === undefined ? await inCluster(surroundings.env, choice.serviceAccount) : undefined;
    if (own !== undefined) return own;
    throw nothingFound(loaded);
  }
  const context = contextOf(loaded.config, choice.context);
  const cluster = referred(loaded.config.clusters, context, 'cluster', context.cluster);
  const user = context.user === undefined ? undefined : referred(loaded.config.users, context, 'user', context.user);
  return targetOf(context, cluster, user, surroundings.env);
}

const isEmpty = ({ clusters, users, contexts }: Kubeconfig): boolean =>
  clusters.size === 0 && users.size === 0 && contexts.size === 0;

const nothingFound = ({ files }: Loaded): Problem =>
  new Problem(
    'kubeconfig-missing',
    files.length === 0 ? 'There is no kubeconfig.' : `There is nothing in ${files.join(', ')}.`,
    { remedy: 'Name one, or fetch it from the cluster:\n    ichor talos kubeconfig' },
  );

function contextOf({ contexts, current }: Kubeconfig, wanted: string | undefined): Context {
  const name = wanted ?? current?.name;
  const names = [...contexts.keys()].toSorted();
  const there = names.length === 0 ? 'There are none.' : `There are: ${names.join(', ')}.`;
  if (name === undefined) {
    throw new Problem(
      'kubeconfig-no-context',
      `The kubeconfig does not say which context is the current one. ${there}`,
      {
        remedy: `Choose one:\n    kubectl config use-context ${names[0] ?? 'NAME'}`,
      },
    );
  }
  const context = contexts.get(name);
  if (context !== undefined) return context;
  const meant = nearest(name, names) ?? names[0];
  throw new Problem('kubeconfig-unknown-context', `The kubeconfig has no context "${name}". ${there}`, {
    remedy: `Choose one of them:\n    kubectl config use-context ${meant ?? 'NAME'}`,
    ...(wanted === undefined && current !== undefined ? { at: current.at } : {}),
  });
}

function referred<T>(all: ReadonlyMap<string, T>, context: Context, what: string, name: string | undefined): T {
  const found = name === undefined ? undefined : all.get(name);
  if (found !== undefined) return found;
  const names = [...all.keys()].toSorted();
  const there = names.length === 0 ? 'there are none' : `there are ${names.join(', ')}`;
  const says = name === undefined ? `names no ${what}` : `names the ${what} "${name}", which is not there`;
  throw new Problem('kubeconfig-wrong', `The context "${context.name}" ${says}; ${there}.`, {
    at: context.at,
    remedy: `Set it:\n    kubectl config set-context ${context.name} --${what} ${names[0] ?? 'NAME'}`,
  });
}

async function targetOf(
  context: Context,
  cluster: Cluster,
  user: User | undefined,
  env: Surroundings['env'],
): Promise<KubernetesTarget> {
  const { server } = cluster;
  if (server === undefined) {
    throw new Problem('kubeconfig-wrong', `The cluster "${cluster.name}" has no server.`, {
      at: cluster.at,
      remedy: `Set it:\n    kubectl config set-cluster ${cluster.name} --server https://HOST:6443`,
    });
  }
  return {
    server,
    ca: await contentOf(cluster.ca, 'certificate authority', cluster),
    tlsServerName: cluster.tlsServerName,
    insecure: cluster.insecure,
    proxy: cluster.proxy ?? proxyFromEnvironment(server, env),
    credentials: user === undefined ? { kind: 'nobody' } : await credentialsOf(user, cluster),
    as: user?.as,
    namespace: context.namespace ?? 'default',
  };
}

async function credentialsOf(user: User, cluster: Cluster): Promise<KubernetesCredentials> {
  if (user.authProvider !== undefined) throw oldProvider(user, user.authProvider);
  const [crt, key] = await Promise.all([
    contentOf(user.crt, 'client certificate', user),
    contentOf(user.key, 'client key', user),
  ]);
  const certificate: ClientCertificate | undefined = crt === undefined || key === undefined ? undefined : { crt, key };
  const besides = certificate === undefined ? {} : { certificate };
  if (user.exec !== undefined) {
    return { kind: 'exec', plugin: { ...user.exec, clusterConfig: cluster.execConfig }, ...besides };
  }
  if (user.tokenFile !== undefined) {
    const token = user.token === undefined ? {} : { token: user.token };
    return { kind: 'token-file', path: user.tokenFile, ...token, ...besides };
  }
  if (user.token !== undefined) return { kind: 'token', token: user.token, ...besides };
  if (user.username !== undefined || user.password !== undefined) {
    return { kind: 'password', username: user.username ?? '', password: user.password ?? '', ...besides };
  }
  return certificate === undefined ? { kind: 'nobody' } : { kind: 'certificate', ...certificate };
}

async function contentOf(
  given: Given | undefined,
  what: string,
  { name, at }: Cluster | User,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  if ('data' in given) return given.data;
  try {
    return await readFile(given.path, 'utf8');
  } catch (error) {
    throw new Problem('kubeconfig-unreadable', `The ${what} of "${name}" cannot be read from ${given.path}.`, {
      at,
      remedy: `Look whether the file is there and may be read:\n    ls -l ${given.path}`,
      cause: error,
    });
  }
}

const oldProvider = ({ name, at }: User, provider: string): Problem =>
  new Problem(
    'kubeconfig-auth-provider',
    `The user "${name}" logs in by the auth-provider "${provider}", which is no longer used.`,
    {
      at,
      remedy: `Have the kubeconfig written anew by the tool of the cloud, with an exec plugin in its place:\n    ${renewals[provider] ?? 'kubectl oidc-login setup'}`,
    },
  );

const renewals: Readonly<Record<string, string>> = {
  gcp: 'gcloud container clusters get-credentials NAME',
  azure: 'kubelogin convert-kubeconfig',
};

import { isMap, isScalar, type Node, type YAMLMap } from 'yaml';
import type { Position } from '../../../model/problem.ts';
import type { ExecPlugin, Impersonation } from '../../kubernetes.ts';
import { KubeconfigText } from './yaml.ts';

type Placed = { readonly name: string; readonly at: Position };

/** What is written into the file, or the file that it is in, by the path as it was written. */
export type Given = { readonly data: string } | { readonly path: string };

export type Cluster = Placed & {
  readonly server: string | undefined;
  readonly ca: Given | undefined;
  readonly tlsServerName: string | undefined;
  readonly insecure: boolean;
  readonly proxy: string | undefined;
  /** For plugins. */
  readonly execConfig: unknown;
};

export type User = Placed & {
  readonly crt: Given | undefined;
  readonly key: Given | undefined;
  readonly token: string | undefined;
  readonly tokenFile: string | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly exec: Omit<ExecPlugin, 'clusterConfig'> | undefined;
  readonly authProvider: string | undefined;
  readonly as: Impersonation | undefined;
};

export type Context = Placed & {
  readonly cluster: string | undefined;
  readonly user: string | undefined;
  readonly namespace: string | undefined;
};

export type Kubeconfig = {
  readonly current: Placed | undefined;
  readonly clusters: ReadonlyMap<string, Cluster>;
  readonly users: ReadonlyMap<string, User>;
  readonly contexts: ReadonlyMap<string, Context>;
};

/** Throws a problem with its place. */
export function readKubeconfig(file: string, text: string): Kubeconfig {
  const source = new KubeconfigText(file, text);
  const root = source.root();
  const kind = source.text(root, 'kind') ?? 'Config';
  const version = source.text(root, 'apiVersion') ?? 'v1';
  if (kind !== 'Config' || version !== 'v1') throw source.wrong('This is no kubeconfig.', root);
  const current = source.text(root, 'current-context');
  return {
    current: current === undefined ? undefined : { name: current, at: source.at(nodeOf(root, 'current-context')) },
    clusters: named(source, root, 'clusters', (placed, entry) =>
      readCluster(source, placed, source.map(entry, 'cluster')),
    ),
    users: named(source, root, 'users', (placed, entry) => readUser(source, placed, source.map(entry, 'user'))),
    contexts: named(source, root, 'contexts', (placed, entry) => {
      const context = source.map(entry, 'context');
      return {
        ...placed,
        cluster: source.text(context, 'cluster'),
        user: source.text(context, 'user'),
        namespace: source.text(context, 'namespace'),
      };
    }),
  };
}

function named<T extends Placed>(
  source: KubeconfigText,
  root: YAMLMap | undefined,
  key: string,
  read: (placed: Placed, entry: YAMLMap) => T,
): ReadonlyMap<string, T> {
  const all = new Map<string, T>();
  for (const entry of source.maps(root, key)) {
    const name = source.text(entry, 'name') ?? '';
    const node = nodeOf(entry, 'name') ?? entry;
    if (all.has(name)) throw source.wrong(`"${key}" names "${name}" twice.`, node);
    all.set(name, read({ name, at: source.at(node) }, entry));
  }
  return all;
}

function readCluster(source: KubeconfigText, placed: Placed, cluster: YAMLMap | undefined): Cluster {
  const ca = given(source, cluster, 'certificate-authority');
  const insecure = source.flag(cluster, 'insecure-skip-tls-verify');
  if (insecure && ca !== undefined) {
    const node = nodeOf(cluster, 'insecure-skip-tls-verify');
    throw source.wrong('A cluster cannot have a certificate authority and be insecure as well.', node);
  }
  return {
    ...placed,
    server: source.text(cluster, 'server'),
    ca,
    tlsServerName: source.text(cluster, 'tls-server-name'),
    insecure,
    proxy: source.text(cluster, 'proxy-url'),
    execConfig: source
      .maps(cluster, 'extensions')
      .filter((entry) => source.text(entry, 'name') === 'client.authentication.k8s.io/exec')
      .map((entry) => (entry.toJSON() as Record<string, unknown>)['extension'])[0],
  };
}

function given(source: KubeconfigText, parent: YAMLMap | undefined, key: string): Given | undefined {
  const data = source.data(parent, `${key}-data`);
  const path = source.text(parent, key);
  if (data !== undefined && path !== undefined) {
    throw source.wrong(`Only one of "${key}" and "${key}-data" can be given.`, nodeOf(parent, key));
  }
  return data !== undefined ? { data } : path !== undefined ? { path } : undefined;
}

function readUser(source: KubeconfigText, placed: Placed, user: YAMLMap | undefined): User {
  const crt = given(source, user, 'client-certificate');
  const key = given(source, user, 'client-key');
  if (crt !== undefined && key === undefined) {
    throw source.wrong(
      'A client certificate needs "client-key" or "client-key-data".',
      nodeOf(user, 'client-certificate') ?? user,
    );
  }
  const token = source.text(user, 'token');
  const username = source.text(user, 'username');
  const password = source.text(user, 'password');
  if (token !== undefined && (username ?? password) !== undefined) {
    throw source.wrong('A user can have a token or a password, not both.', nodeOf(user, 'token'));
  }
  return {
    ...placed,
    crt,
    key: crt === undefined ? undefined : key,
    token,
    tokenFile: source.text(user, 'tokenFile'),
    username,
    password,
    exec: readExec(source, source.map(user, 'exec')),
    authProvider: source.text(source.map(user, 'auth-provider'), 'name'),
    as: readImpersonation(source, user),
  };
}

const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
const modes = ['Never', 'IfAvailable', 'Always'] as const;

function readExec(source: KubeconfigText, exec: YAMLMap | undefined): User['exec'] {
  if (exec === undefined) return undefined;
  const command = source.text(exec, 'command');
  if (command === undefined) throw source.wrong('"exec" needs a command.', exec);
  const apiVersion = source.text(exec, 'apiVersion') ?? '';
  if (!execVersions.includes(apiVersion)) {
    throw source.wrong(
      `Plugins speak ${execVersions.join(' or ')}; this one has ${apiVersion === '' ? 'no apiVersion' : 'another apiVersion'}.`,
      nodeOf(exec, 'apiVersion') ?? exec,
      `Update the plugin and have it write its entry anew, or set it:\n    kubectl config set-credentials NAME --exec-api-version ${execVersions[1]}`,
    );
  }
  const written = source.text(exec, 'interactiveMode');
  const interactive = modes.find((mode) => mode === (written ?? (apiVersion.endsWith('v1beta1') ? 'IfAvailable' : '')));
  if (interactive === undefined) {
    throw source.wrong(`"interactiveMode" has to be ${modes.join(', ')}.`, nodeOf(exec, 'interactiveMode') ?? exec);
  }
  const env = source
    .maps(exec, 'env')
    .map((entry) => [source.text(entry, 'name') ?? '', source.text(entry, 'value') ?? '']);
  return {
    apiVersion,
    command,
    args: source.texts(exec, 'args'),
    env: Object.fromEntries(env) as Record<string, string>,
    interactive,
    clusterInfo: source.flag(exec, 'provideClusterInfo'),
    installHint: source.text(exec, 'installHint'),
  };
}

function readImpersonation(source: KubeconfigText, parent: YAMLMap | undefined): Impersonation | undefined {
  const user = source.text(parent, 'as');
  const uid = source.text(parent, 'as-uid');
  const groups = source.texts(parent, 'as-groups');
  const extraMap = source.map(parent, 'as-user-extra');
  const keys = (extraMap?.items ?? []).flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []));
  const extra = Object.fromEntries(keys.map((key) => [key, source.texts(extraMap, key)]));
  if (user === undefined) {
    if (uid === undefined && groups.length === 0 && keys.length === 0) return undefined;
    throw source.wrong('"as-uid", "as-groups" and "as-user-extra" need "as".', parent);
  }
  return { user, groups, ...(uid === undefined ? {} : { uid }), ...(keys.length === 0 ? {} : { extra }) };
}

const nodeOf = (parent: YAMLMap | undefined, key: string): Node | undefined => {
  const node: unknown = parent?.get(key, true);
  return isScalar(node) || isMap(node) ? node : undefined;
};

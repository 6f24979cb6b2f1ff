import type { KubernetesCredentials, KubernetesTarget } from '../kubernetes.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A kubeconfig with one context, for a program that needs a file. JSON, which is YAML too. */
export function kubeconfigOf({
  server,
  ca,
  tlsServerName,
  insecure,
  proxy,
  credentials,
  as,
  namespace,
}: KubernetesTarget) {
  const cluster = {
    server,
    ...(ca === undefined || insecure ? {} : { 'certificate-authority-data': base64(ca) }),
    ...(tlsServerName === undefined ? {} : { 'tls-server-name': tlsServerName }),
    ...(insecure ? { 'insecure-skip-tls-verify': true } : {}),
    ...(proxy === undefined ? {} : { 'proxy-url': proxy }),
  };
  const user = {
    ...userOf(credentials),
    ...(as === undefined ? {} : { as: as.user, 'as-groups': as.groups }),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'ichor',
    clusters: [{ name: 'ichor', cluster }],
    users: [{ name: 'ichor', user }],
    contexts: [{ name: 'ichor', context: { cluster: 'ichor', user: 'ichor', namespace } }],
  });
}

function userOf(credentials: KubernetesCredentials): object {
  switch (credentials.kind) {
    case 'certificate':
      return {
        'client-certificate-data': base64(credentials.crt),
        'client-key-data': base64(credentials.key),
      };
    case 'token':
      return { token: credentials.token };
    case 'token-file':
      return { tokenFile: credentials.path };
    case 'password':
      return { username: credentials.username, password: credentials.password };
    case 'exec': {
      const { apiVersion, command, args, env, interactive, clusterInfo } = credentials.plugin;
      return {
        exec: {
          apiVersion,
          command,
          args,
          env: Object.entries(env).map(([name, value]) => ({ name, value })),
          interactiveMode: interactive,
          provideClusterInfo: clusterInfo,
        },
      };
    }
    case 'nobody':
      return {};
  }
}

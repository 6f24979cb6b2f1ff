import type { ClientCertificate, KubernetesCredentials, KubernetesTarget } from '../kubernetes.ts';

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
    ...(as === undefined
      ? {}
      : {
          as: as.user,
          'as-groups': as.groups,
          ...(as.uid === undefined ? {} : { 'as-uid': as.uid }),
          ...(as.extra === undefined ? {} : { 'as-user-extra': as.extra }),
        }),
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
      return certificateOf(credentials);
    case 'token':
      return { ...certificateOf(credentials.certificate), token: credentials.token };
    case 'token-file': {
      const { path, token, certificate } = credentials;
      return { ...certificateOf(certificate), ...(token === undefined ? {} : { token }), tokenFile: path };
    }
    case 'password': {
      const { username, password, certificate } = credentials;
      return { ...certificateOf(certificate), username, password };
    }
    case 'exec': {
      const { apiVersion, command, args, env, interactive, clusterInfo } = credentials.plugin;
      return {
        ...certificateOf(credentials.certificate),
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

const certificateOf = (certificate: ClientCertificate | undefined): object =>
  certificate === undefined
    ? {}
    : { 'client-certificate-data': base64(certificate.crt), 'client-key-data': base64(certificate.key) };

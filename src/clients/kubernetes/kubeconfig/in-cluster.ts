import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubernetesTarget } from '../../kubernetes.ts';

const usualFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** What a pod finds about its own cluster; undefined for whoever is in none. */
export async function inCluster(
  env: Readonly<Record<string, string | undefined>>,
  folder = usualFolder,
): Promise<KubernetesTarget | undefined> {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '';
  if (host === '' || port === '') return undefined;
  const path = join(folder, 'token');
  const [token, ca, namespace] = await Promise.all([
    textIn(path),
    textIn(join(folder, 'ca.crt')),
    textIn(join(folder, 'namespace')),
  ]);
  if (token === undefined) return undefined;
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca,
    tlsServerName: undefined,
    insecure: false,
    proxy: undefined,
    credentials: { kind: 'token-file', path },
    as: undefined,
    namespace: env['POD_NAMESPACE'] || namespace?.trim() || 'default',
  };
}

const textIn = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveKubernetes } from '../../src/lab/kubernetes/serve.ts';
import { startKubernetesTwin } from '../../src/lab/kubernetes/start.ts';
import type { KubernetesOptions, KubernetesTwin, TwinNode } from '../../src/lab/kubernetes/twin.ts';
import { makeAuthority } from '../conformance/kubernetes/pki.ts';

export type ServedTwin = AsyncDisposable & {
  readonly twin: KubernetesTwin;
  /** A file, of an administrator. */
  readonly kubeconfig: string;
  readonly url: string;
};

export const twinNode = (name: string, controlPlane = false): TwinNode => ({
  name,
  address: '10.10.0.11',
  controlPlane,
  alive: true,
});

/** A twin on a socket of its own, with machines, and the kubeconfig of its administrator. */
export async function servedTwin(nodes: readonly TwinNode[], options: KubernetesOptions = {}): Promise<ServedTwin> {
  const authority = await makeAuthority('the lab');
  const { crt, key } = await authority.server('127.0.0.1');
  const twin = startKubernetesTwin({
    tokens: { administrator: { user: 'admin', groups: ['system:masters'] } },
    durations: { podStart: 50, podStop: 50, jobRun: 50, networkUp: 50 },
    ...options,
  });
  twin.setNodes(nodes);
  const served = await serveKubernetes(twin, { certificate: crt, key });
  const folder = await mkdtemp(join(tmpdir(), 'ichor-twin-'));
  const kubeconfig = join(folder, 'kubeconfig');
  const cluster = { server: served.url, 'certificate-authority-data': Buffer.from(authority.crt).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'twin',
    clusters: [{ name: 'twin', cluster }],
    users: [{ name: 'admin', user: { token: 'administrator' } }],
    contexts: [{ name: 'twin', context: { cluster: 'twin', user: 'admin' } }],
  };
  await writeFile(kubeconfig, JSON.stringify(config), { mode: 0o600 });
  return {
    twin,
    kubeconfig,
    url: served.url,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await twin[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

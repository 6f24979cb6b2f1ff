import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import { findKubernetes } from '../../src/clients/kubernetes/kubeconfig/target.ts';
import type { KubernetesClient } from '../../src/clients/kubernetes.ts';
import { ichorBeside } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { eventually } from '../lab/asking.ts';
import { work } from '../lab/proxmox-api.ts';

// Another checkout may run the same story at the same time.
const base = `127.${120 + (process.pid % 40)}.${Math.floor(process.pid / 40) % 250}`;
const signal = AbortSignal.timeout(120_000);

type Started = {
  readonly proxmox: { readonly endpoint: string; readonly token: string; readonly ca: string };
  readonly kubeconfig: string;
  readonly talosconfig: string;
};
type Node = {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
    readonly nodeInfo: { readonly osImage: string; readonly kubeletVersion: string };
  };
};

describe('a lab with a cluster', () => {
  const cwd = folderForAll();
  const env = { HOME: cwd, XDG_STATE_HOME: join(cwd, 'state') };
  const ok = async (...args: readonly string[]): Promise<string> => {
    const { status, stdout, stderr } = await ichorBeside(args, { cwd, env });
    expect({ args, status, ...(status === 0 ? {} : { stdout, stderr }) }).toEqual({ args, status: 0 });
    return stdout;
  };
  let lab: Started;
  let client: KubernetesClient;
  const nodes = async (): Promise<readonly string[]> => {
    const { items } = await client.list({ apiVersion: 'v1', kind: 'Node' }, {}, signal);
    return (items as unknown as readonly Node[]).map(({ metadata, status }) => {
      const ready = status.conditions.find(({ type }) => type === 'Ready')?.status;
      return `${metadata.name} ${ready === 'True' ? 'Ready' : `not Ready (${ready})`}`;
    });
  };

  beforeAll(async () => {
    const started = await ok(
      'lab',
      'start',
      '--cluster',
      '--detach',
      '--speed',
      '20',
      '--network',
      `${base}.0/24`,
      '--output',
      'json',
    );
    lab = JSON.parse(started) as Started;
    client = openKubernetes(await findKubernetes({ file: lab.kubeconfig }, { env: {} }));
  }, 120_000);
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await ichorBeside(['lab', 'stop', '--all'], { env });
  });

  test('says where its kubeconfig and talosconfig are, which only their owner may read', () => {
    const modes = [lab.kubeconfig, lab.talosconfig].map((file) => (statSync(file).mode & 0o777).toString(8));
    expect(modes).toEqual(['600', '600']);
  });

  test('has every node of its platform file ready, with Talos’ words about it', async () => {
    expect(await nodes()).toEqual([
      'lab-cp-0 Ready',
      'lab-cp-1 Ready',
      'lab-cp-2 Ready',
      'lab-general-0 Ready',
      'lab-general-1 Ready',
      'lab-general-2 Ready',
    ]);
    const node = (await client.get({ apiVersion: 'v1', kind: 'Node', name: 'lab-cp-0' }, signal)) as unknown as Node;
    expect(node.status.nodeInfo).toMatchObject({ osImage: 'Talos (v1.13.9)', kubeletVersion: 'v1.36.3' });
  });

  test('is healthy for Talos, and shows up in the lab’s status', async () => {
    expect(await ok('talos', 'health', '--talosconfig', lab.talosconfig, '--timeout', '1m')).not.toContain('failed');
    expect(await ok('lab', 'status')).toContain(`Kubernetes lab at https://${base}.130:6443, which lab-cp-`);
  });

  test('a kubeconfig of Talos leads to the same cluster', async () => {
    await ok('talos', 'kubeconfig', '--talosconfig', lab.talosconfig, '-n', `${base}.131`, '--out', 'other');
    await using other = openKubernetes(await findKubernetes({ file: join(cwd, 'other') }, { env: {} }));
    const uid = async (which: KubernetesClient) =>
      (await which.get({ apiVersion: 'v1', kind: 'Namespace', name: 'kube-system' }, signal))?.metadata.uid;
    expect(await uid(other)).toBe(await uid(client));
  });

  test('what is deployed runs', async () => {
    const labels = { app: 'web' };
    await client.create(
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'default' },
        spec: {
          replicas: 3,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
        },
      },
      {},
      signal,
    );
    const ready = async () =>
      (
        (await client.get({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'default' }, signal))?.[
          'status'
        ] as { readyReplicas?: number } | undefined
      )?.readyReplicas;
    expect(await eventually(ready, (count) => count === 3)).toBe(3);
  });

  test('a machine whose power is cut is not ready any more, and ready again when it is back', async () => {
    const api = { ...lab.proxmox, ca: readFileSync(lab.proxmox.ca, 'utf8') };
    const vm = '/nodes/pve1/qemu/501/status';
    await work(api, 'POST', `${vm}/stop`);
    await eventually(nodes, (seen) => seen.includes('lab-general-0 not Ready (Unknown)'));
    await work(api, 'POST', `${vm}/start`);
    await eventually(nodes, (seen) => seen.includes('lab-general-0 Ready'));
  });
});

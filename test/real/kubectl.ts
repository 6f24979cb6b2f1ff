import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { KubernetesHealth } from '../../src/clients/talos.ts';
import { peerProgram } from './peers.ts';

const run = promisify(execFile);

/** One answer of the API server, as JSON, with a kubeconfig from a file. */
export async function kubectl(kubeconfig: string, ...args: readonly string[]): Promise<unknown> {
  const program = await peerProgram('kubectl');
  const flags = ['--kubeconfig', kubeconfig, '--request-timeout=10s', ...args, '-o', 'json'];
  const { stdout } = await run(program, flags, { maxBuffer: 1 << 26 });
  return JSON.parse(stdout) as unknown;
}

type Node = {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly unschedulable?: boolean };
  readonly status: {
    readonly addresses: readonly { readonly type: string; readonly address: string }[];
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
};
type Pod = { readonly metadata: { readonly name: string }; readonly status: Node['status'] };

const isReady = ({ status }: Pick<Node, 'status'>): boolean =>
  (status.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True');

/** What the checks of a cluster's health want to know of Kubernetes. */
export const kubernetesBy = (kubeconfig: string): KubernetesHealth => ({
  nodes: async () => {
    const { items } = (await kubectl(kubeconfig, 'get', 'nodes')) as { items: readonly Node[] };
    return items.map((node) => ({
      name: node.metadata.name,
      addresses: node.status.addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address),
      controlPlane: 'node-role.kubernetes.io/control-plane' in node.metadata.labels,
      ready: isReady(node),
      schedulable: node.spec.unschedulable !== true,
    }));
  },
  pods: async (app) => {
    const got = await kubectl(kubeconfig, '-n', 'kube-system', 'get', 'pods', '-l', `k8s-app=${app}`);
    return (got as { items: readonly Pod[] }).items.map((pod) => ({ name: pod.metadata.name, ready: isReady(pod) }));
  },
  wanted: async (app) => {
    const got = await kubectl(kubeconfig, '-n', 'kube-system', 'get', 'daemonsets,deployments', '-l', `k8s-app=${app}`);
    const { items } = got as {
      items: readonly { spec: { replicas?: number }; status: { desiredNumberScheduled?: number } }[];
    };
    return items.map(({ spec, status }) => spec.replicas ?? status.desiredNumberScheduled)[0];
  },
});

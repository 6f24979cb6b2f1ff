import type { Boot, StaticPod } from './boot.ts';
import type { Machine } from './machine.ts';

const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

const sameCluster = (one: Boot, other: Boot): boolean =>
  one.settings !== undefined &&
  other.settings !== undefined &&
  one.settings.clusterName === other.settings.clusterName &&
  one.settings.kubernetesCa.crt === other.settings.kubernetesCa.crt;

/** Whether some control plane of this node’s cluster serves the Kubernetes API. */
export function apiServed(machine: Machine, boot: Boot): boolean {
  for (const other of machine.world.machines()) {
    const peer = other.boot;
    if (peer !== undefined && sameCluster(boot, peer) && servesApi(peer)) return true;
  }
  return false;
}

export const servesApi = (boot: Boot): boolean =>
  boot.pods.some(({ component, ready }) => component === 'kube-apiserver' && ready) && boot.services.isHealthy('etcd');

/** Static pods of a control plane once its etcd is there, and the node’s own standing in its cluster. */
export async function followKubernetes(machine: Machine, boot: Boot): Promise<void> {
  if (boot.settings?.type === 'controlplane') {
    await boot.until(() => boot.services.isHealthy('etcd') && boot.services.isHealthy('kubelet'));
    boot.pods = podsOf(boot, []);
    boot.touch();
    await boot.sleep(machine.durations.controlPlane / 2);
    boot.pods = podsOf(boot, ['kube-apiserver']);
    boot.touch();
    await boot.sleep(machine.durations.controlPlane / 2);
    boot.pods = podsOf(boot, components);
    boot.touch();
    machine.world.stir();
  } else {
    await boot.until(() => boot.services.isHealthy('kubelet'));
    await machine.world.until(() => apiServed(machine, boot), boot.signal);
  }
  boot.node = 'not ready';
  boot.touch();
  machine.world.stir();
  // Whoever answers for Kubernetes says when it is ready.
  if (machine.world.kubernetesOf(boot)?.changed !== undefined) return;
  await boot.sleep(machine.durations.nodeReady);
  await boot.until(() => boot.settings?.cni !== 'none');
  boot.node = 'ready';
  boot.touch();
}

const podsOf = (boot: Boot, ready: readonly string[]): readonly StaticPod[] =>
  components.map((component) => ({
    id: `kube-system/${component}-${boot.nodename ?? ''}`,
    component,
    ready: ready.includes(component),
  }));

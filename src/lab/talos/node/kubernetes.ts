import type { Boot, StaticPod } from './boot.ts';
import type { Machine } from './machine.ts';
import { componentNames as components, type Settings } from './settings.ts';

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

export const apiRuns = (boot: Boot): boolean =>
  boot.pods.some(({ component, ready }) => component === 'kube-apiserver' && ready);

export const servesApi = (boot: Boot): boolean => apiRuns(boot) && boot.services.isHealthy('etcd');

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
    wanted: 1,
    runs: 1,
  }));

/** Talos says at once what its static pods are to be; the kubelet asks for that now and then, and replaces them. */
export function changePods(machine: Machine, boot: Boot, before: Settings): void {
  const now = boot.settings?.components;
  const changed = components.filter((component) => now?.[component] !== before.components[component]);
  if (!boot.pods.some(({ component }) => changed.some((each) => each === component))) return;
  boot.pods = boot.pods.map((pod) =>
    changed.some((each) => each === pod.component) ? { ...pod, wanted: pod.wanted + 1 } : pod,
  );
  boot.touch();
  void replacePods(machine, boot).catch(() => undefined);
}

async function replacePods(machine: Machine, boot: Boot): Promise<void> {
  await boot.sleep(machine.durations.staticPods);
  const stale = new Set(boot.pods.flatMap(({ id, runs, wanted }) => (runs === wanted ? [] : [id])));
  boot.pods = boot.pods.map((pod) => (stale.has(pod.id) ? { ...pod, runs: pod.wanted, ready: false } : pod));
  boot.touch();
  machine.world.stir();
  if (machine.faults.take('broken-pods', '') !== undefined) return;
  await boot.sleep(machine.durations.controlPlane / 2);
  boot.pods = boot.pods.map((pod) => (stale.has(pod.id) ? { ...pod, ready: true } : pod));
  boot.touch();
  machine.world.stir();
}

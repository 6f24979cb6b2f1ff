import type { Part } from './foreign.ts';
import type { Sketch } from './sketch.ts';

const fillIn = 'FILL IN, these are examples: a KubernetesCluster does not say where its machines are made';

/** A skeleton of the provider that the machines come from; Proxmox where ichor has no such provider. */
export function putProvider(providers: readonly string[], root: Part, sketch: Sketch): void {
  const [written = '', ...others] = providers;
  const known = written === 'libvirt' || written === 'openstack' || written === 'proxmox';
  const provider = known ? written : 'proxmox';
  skeletons[provider](root, sketch);
  sketch.comment(`machines.${provider}`, known ? `${fillIn}.` : `${fillIn} (provider ${written || 'not given'}).`);
  root.remark(
    known
      ? `A KubernetesCluster does not say where its machines are made: fill in machines.${provider}.`
      : `ichor makes no machines with the provider ${written || 'of this cluster'}: machines.proxmox is an example to be filled in, or to be replaced by another provider.`,
  );
  if (others.length > 0)
    root.remark(`All machines of a platform come from one provider: ${others.join(', ')} is not carried over.`);
}

const skeletons = {
  proxmox(root: Part, sketch: Sketch): void {
    const controlPlanes = root.find('spec.topology.controlplane.replicas')?.count() ?? 1;
    const hosts = Array.from({ length: Math.min(Math.max(controlPlanes, 1), 9) }, (_, index) => `pve${index + 1}`);
    sketch.put('machines.proxmox', {
      endpoint: 'https://pve1.example.org:8006',
      token: { env: 'PROXMOX_TOKEN' },
      hosts,
      datastore: 'local-lvm',
      bridge: 'vmbr0',
    });
  },
  libvirt(_: Part, sketch: Sketch): void {
    sketch.put('machines.libvirt.hosts', { kvm1: 'qemu+ssh://root@kvm1.example.org/system' });
  },
  openstack(_: Part, sketch: Sketch): void {
    sketch.put('machines.openstack.cloud', 'example');
  },
};

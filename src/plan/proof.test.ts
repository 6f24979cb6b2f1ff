import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Inventory } from '../model/host.ts';
import type { Loss, Proof } from '../model/proof.ts';
import { readHosts } from '../spec/hosts-file.ts';
import { read } from '../spec/read.ts';
import { provePlatform, proveSubstrate } from './proof.ts';

const reading = (example: string, settings: readonly string[] = []) => {
  const result = read({
    sources: [{ name: example, content: readFileSync(new URL(`../../examples/${example}`, import.meta.url)) }],
    settings,
  });
  expect(result.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return result;
};

const proofOf = (example: string, settings: readonly string[] = [], hosts?: string): Proof => {
  const { platforms, substrates } = reading(example, settings);
  const measured: Inventory | undefined =
    hosts === undefined ? undefined : readHosts({ name: 'hosts.yaml', content: hosts }).inventory;
  const [platform] = platforms;
  if (platform === undefined) throw new Error('no platform');
  return provePlatform(platform, measured, substrates);
};

const brief = ({ host, quorum, membersLeft, workers, fit, short }: Loss) => ({
  host,
  quorum,
  membersLeft,
  workers: workers.length,
  fit,
  short,
});

test('the loss of a host: majority and room for its workers', () => {
  expect(proofOf('ha.yaml').losses.map(brief)).toEqual([
    { host: 'pve1', quorum: 'kept', membersLeft: 2, workers: 1, fit: true, short: [] },
    { host: 'pve2', quorum: 'kept', membersLeft: 2, workers: 1, fit: true, short: [] },
    { host: 'pve3', quorum: 'kept', membersLeft: 2, workers: 1, fit: true, short: [] },
  ]);
});

test('workers that would not fit elsewhere are short by something, somewhere', () => {
  expect(proofOf('ha.yaml', ['cluster.workers.general.replicas=8']).losses.map(brief)).toEqual([
    {
      host: 'pve1',
      quorum: 'kept',
      membersLeft: 2,
      workers: 3,
      fit: false,
      short: [{ group: 'workers.general', machines: 3, host: 'pve2', resource: 'cpu', missing: 4 }],
    },
    {
      host: 'pve2',
      quorum: 'kept',
      membersLeft: 2,
      workers: 3,
      fit: false,
      short: [{ group: 'workers.general', machines: 3, host: 'pve1', resource: 'cpu', missing: 4 }],
    },
    {
      host: 'pve3',
      quorum: 'kept',
      membersLeft: 2,
      workers: 2,
      fit: false,
      short: [{ group: 'workers.general', machines: 2, host: 'pve1', resource: 'cpu', missing: 4 }],
    },
  ]);
});

test('the only control plane is the only control plane', () => {
  expect(proofOf('homelab.yaml').losses.map(brief)).toEqual([
    {
      host: 'pve',
      quorum: 'lost',
      membersLeft: 0,
      workers: 2,
      fit: false,
      short: [{ group: 'workers.worker', machines: 2, host: null, resource: 'hosts', missing: 2 }],
    },
  ]);
});

test('a platform on a substrate is proved on its computes, and the substrate on its hosts', () => {
  const { platforms, substrates } = reading('private-cloud.yaml');
  const [mgmt] = platforms;
  const [cloud] = substrates;
  if (mgmt === undefined || cloud === undefined) throw new Error('no platform or substrate');
  const above = provePlatform(mgmt, undefined, substrates);
  expect(
    above.hosts.map(({ name, gauges }) => [name, ...gauges.map(({ resource, capacity }) => `${resource} ${capacity}`)]),
  ).toEqual(
    ['cloud-compute-0', 'cloud-compute-1', 'cloud-compute-2'].map((name) => [
      name,
      'cpu 32',
      'memory 47104',
      'disk:default 400',
    ]),
  );
  const below = proveSubstrate(cloud, undefined);
  expect(below.machines.map(({ machine, host }) => `${machine.name} ${host}`)).toEqual([
    'cloud-controller-0 kvm1',
    'cloud-compute-0 kvm1',
    'cloud-compute-1 kvm2',
    'cloud-compute-2 kvm2',
    'cloud-storage-0 kvm1',
  ]);
});

test('machines that exist already need no room, and each fails alone', () => {
  const text = `
apiVersion: ichor.dev/v1alpha1
kind: Platform
metadata: { name: old }
spec:
  machines: { existing: { machines: { cp-0: { address: 10.0.0.1 }, cp-1: { address: 10.0.0.2 }, cp-2: { address: 10.0.0.3 }, w-0: { address: 10.0.0.4 } } } }
  cluster: { controlPlane: { replicas: 3 }, workers: { w: { replicas: 1 } } }
`;
  const [platform] = read({ sources: [{ name: 'old.yaml', content: text }] }).platforms;
  const { fits, machines, losses } = provePlatform(platform!, undefined);
  expect({
    fits,
    addresses: machines.map(({ identity }) => identity.address),
    quorum: losses.map(({ quorum }) => quorum),
  }).toEqual({
    fits: true,
    addresses: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'],
    quorum: ['kept', 'kept', 'kept', 'kept'],
  });
});

test('what a person should know besides is remarked', () => {
  const hosts = `
hosts:
  pve1: { cpu: 32, memory: 128GiB, machines: [{ name: prod-cp-0, vmid: 900 }, { name: prod-old-0, platform: prod, vmid: 555 }, { vmid: 100 }] }
  pve2: { cpu: 32, memory: 128GiB, disk: { local-lvm: 1TiB } }
  pve3: { cpu: 32, memory: 128GiB, disk: { local-lvm: 1TiB } }
`;
  expect(proofOf('ha.yaml', ['cluster.nodes.cp-0={vmid: 401, host: pve2}'], hosts).remarks).toEqual([
    'prod-cp-0 is pinned to pve2 and runs on pve1: it stays until you move it.',
    'prod-cp-0 should have VMID 401 and has 900: it keeps it.',
    'prod-old-0 is no longer in the file: its room is counted as free.',
    'The size of VM 100 is not known: it counts as nothing.',
    'Disk is not proved on pve1: its datastores are not declared.',
  ]);
});

test('a host that is too full already is said to be, where the platform needs it', () => {
  const hosts = `
hosts:
  pve1: { cpu: 32, memory: 16GiB, disk: { local-lvm: 1TiB }, used: { memory: 20GiB } }
  pve2: { cpu: 32, memory: 128GiB, disk: { local-lvm: 1TiB } }
  pve3: { cpu: 32, memory: 128GiB, disk: { local-lvm: 1TiB } }
`;
  const single = ['cluster.controlPlane.replicas=1', 'cluster.highAvailability=null'];
  expect(proofOf('ha.yaml', single, hosts).fits).toBe(true);
  expect(proofOf('ha.yaml', [...single, 'cluster.nodes.cp-0.host=pve1'], hosts).short).toEqual([
    { group: 'all', machines: 1, host: 'pve1', resource: 'memory', missing: 16384 },
  ]);
});

test('without a capacity there is no proof', () => {
  const { platforms } = reading('ha.yaml', [
    'machines.proxmox.capacity.pve2=null',
    'machines.proxmox.capacity.pve3=null',
  ]);
  expect(() => provePlatform(platforms[0]!, undefined)).toThrow(
    'It cannot be proved that the machines fit: nobody said what pve2, pve3 can carry.',
  );
  const viti = reading('viti.yaml');
  expect(() => provePlatform(viti.platforms[0]!, undefined)).toThrow(
    'a KubernetesCluster does not say what it runs on',
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyEdit, anyFile, anyForeigners, type AnyFile } from '../../test/arbitrary/platforms.ts';
import { sweep } from '../../test/sweep.ts';
import { hostsYaml } from '../cli/views/hosts-yaml.ts';
import type { Inventory } from '../model/host.ts';
import type { Proof } from '../model/proof.ts';
import { readHosts } from '../spec/hosts-file.ts';
import { read } from '../spec/read.ts';
import { provePlatform } from './proof.ts';

const prove = (file: unknown, inventory?: Inventory): Proof => {
  const { platforms, problems } = read({ sources: [{ name: 'prod.yaml', content: JSON.stringify(file) }] });
  const [platform] = platforms;
  if (platform === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return provePlatform(platform, inventory);
};

const hostsOf = (text: string): Inventory => {
  const { inventory, problems } = readHosts({ name: 'hosts.yaml', content: text });
  if (inventory === undefined) throw new Error(problems.map(({ message }) => message).join('\n'));
  return inventory;
};

type HostOptions = { readonly cpu?: number; readonly memory?: string };

const file = (hosts: Record<string, HostOptions>, cluster: Record<string, unknown>): unknown => ({
  apiVersion: 'ichor.dev/v1alpha1',
  kind: 'Platform',
  metadata: { name: 'p' },
  spec: {
    machines: {
      proxmox: {
        endpoint: 'https://pve.example.org:8006',
        token: { env: 'T' },
        hosts: Object.keys(hosts),
        capacity: Object.fromEntries(
          Object.entries(hosts).map(([name, { cpu = 32, memory = '128GiB' }]) => [name, { cpu, memory }]),
        ),
      },
    },
    cluster,
  },
});

const places = ({ machines }: Proof): readonly string[] =>
  machines.map(({ machine, host }) => `${machine.name.replace('p-', '')} ${host ?? '-'}`);

const worker = (replicas: number, cpu = 8, memory = '16GiB') => ({ replicas, cpu, memory, disk: '20GiB' });

test('workers of one size go round the hosts: A0, B0, C0, A1', () => {
  const hosts = { a: {}, b: {}, c: {} };
  expect(places(prove(file(hosts, { controlPlane: { replicas: 3 }, workers: { w: worker(7) } })))).toEqual([
    'cp-0 a',
    'cp-1 b',
    'cp-2 c',
    'w-0 a',
    'w-1 b',
    'w-2 c',
    'w-3 a',
    'w-4 b',
    'w-5 c',
    'w-6 a',
  ]);
});

test('a host without slots left is passed over, the others go on in turn', () => {
  const hosts = { a: { cpu: 64 }, b: { cpu: 10 }, c: { cpu: 32 } };
  const proof = prove(file(hosts, { controlPlane: { replicas: 1 }, workers: { w: worker(6) } }));
  expect(places(proof)).toEqual(['cp-0 a', 'w-0 b', 'w-1 c', 'w-2 a', 'w-3 c', 'w-4 a', 'w-5 c']);
});

test('hosts sort as people count: pve2 before pve10', () => {
  const hosts = { pve10: {}, pve2: {}, pve1: {} };
  expect(places(prove(file(hosts, { workers: { w: worker(3) } })))).toEqual([
    'cp-0 pve1',
    'w-0 pve2',
    'w-1 pve10',
    'w-2 pve1',
  ]);
});

test('three control planes never share a host, even when only one has room left for workers', () => {
  const proof = prove(file({ a: { memory: '512GiB' }, b: {} }, { controlPlane: { replicas: 3 } }));
  expect({ fits: proof.fits, certain: proof.certain, short: proof.short }).toEqual({
    fits: false,
    certain: true,
    short: [{ group: 'controlPlane', machines: 1, host: null, resource: 'hosts', missing: 1 }],
  });
});

test('without high availability they may, as few together as can be', () => {
  const proof = prove(
    file({ a: { memory: '512GiB' }, b: {} }, { highAvailability: false, controlPlane: { replicas: 3 } }),
  );
  expect(places(proof)).toEqual(['cp-0 a', 'cp-1 b', 'cp-2 a']);
});

test('pinned machines go where they are pinned, the rest is spread around them', () => {
  const proof = prove(
    file(
      { a: {}, b: {}, c: {} },
      {
        controlPlane: { replicas: 3 },
        workers: { w: worker(2) },
        placement: { strategy: 'pin', pinned: { 'cp-0': 'c', 'p-cp-1': 'a', 'cp-2': 'b', 'w-1': 'a' } },
      },
    ),
  );
  expect(places(proof)).toEqual(['cp-0 c', 'cp-1 a', 'cp-2 b', 'w-0 b', 'w-1 a']);
});

test('what the quick way cannot seat is searched for before anybody says that it does not fit', () => {
  // The emptiest host is the only one large enough for the big worker: the control plane must make way.
  const hosts = { large: { memory: '64GiB' }, small: { memory: '8GiB' } };
  const proof = prove(
    file(hosts, { controlPlane: { replicas: 1, memory: '4GiB' }, workers: { big: worker(1, 8, '64GiB') } }),
  );
  expect({ fits: proof.fits, where: places(proof) }).toEqual({ fits: true, where: ['cp-0 small', 'big-0 large'] });
});

test('a machine with more processors than any host is refused, whatever the overcommit', () => {
  const proof = prove(
    file({ a: { cpu: 8 } }, { workers: { w: worker(1, 16) }, placement: { overcommit: { cpu: 8 } } }),
  );
  expect({ fits: proof.fits, short: proof.short }).toEqual({
    fits: false,
    short: [{ group: 'workers.w', machines: 1, host: 'a', resource: 'cpu', missing: 8 }],
  });
});

test('space is proved per datastore, and what all hosts share is counted once', () => {
  const proof = prove({
    apiVersion: 'ichor.dev/v1alpha1',
    kind: 'Platform',
    metadata: { name: 'p' },
    spec: {
      machines: {
        proxmox: {
          endpoint: 'https://pve.example.org:8006',
          token: { env: 'T' },
          hosts: ['a', 'b'],
          sharedDatastores: { ceph: '300GiB' },
          capacity: {
            a: { cpu: 32, memory: '64GiB', disk: { 'local-lvm': '100GiB' } },
            b: { cpu: 32, memory: '64GiB', disk: { 'local-lvm': '500GiB' } },
          },
        },
      },
      cluster: {
        workers: { w: { replicas: 3, cpu: 2, memory: '2GiB', disk: '80GiB', disks: { data: '120GiB on ceph' } } },
      },
    },
  });
  expect({ where: places(proof), short: proof.short }).toEqual({
    where: ['cp-0 b', 'w-0 a', 'w-1 b', 'w-2 b'],
    short: [{ group: 'all', machines: 0, host: null, resource: 'disk:ceph', missing: 60 }],
  });
});

test('a host that declares datastores and lacks the wanted one takes nothing', () => {
  const text =
    'hosts: { a: { cpu: 32, memory: 64GiB, disk: { other: 1TiB } }, b: { cpu: 32, memory: 64GiB, disk: { local-lvm: 1TiB } } }';
  expect(places(prove(file({ a: {}, b: {} }, { workers: { w: worker(2) } }), hostsOf(text)))).toEqual([
    'cp-0 b',
    'w-0 b',
    'w-1 b',
  ]);
});

test('machines that are there stay, also where the file would now put them elsewhere', () => {
  const text = `hosts:
    a: { cpu: 32, memory: 64GiB, machines: [{ name: p-w-0, vmid: 777, mac: "BC:24:11:00:00:01", uuid: 11111111-2222-4333-8444-555555555555, address: 10.0.0.9 }, { name: p-w-1, vmid: 778 }] }
    b: { cpu: 32, memory: 64GiB }`;
  const proof = prove(file({ a: {}, b: {} }, { workers: { w: worker(3) } }), hostsOf(text));
  const [, first] = proof.machines;
  expect({ where: places(proof), identity: first?.identity }).toEqual({
    where: ['cp-0 b', 'w-0 a', 'w-1 a', 'w-2 b'],
    identity: {
      vmid: 777,
      mac: 'BC:24:11:00:00:01',
      uuid: '11111111-2222-4333-8444-555555555555',
      address: '10.0.0.9',
    },
  });
});

test('what others use is not ours to give', () => {
  const text =
    'hosts: { a: { cpu: 32, memory: 64GiB, used: { memory: 40GiB }, machines: [{ vmid: 100, cpu: 2, memory: 10GiB }] } }';
  const proof = prove(
    file({ a: {} }, { controlPlane: { memory: '4GiB' }, workers: { w: worker(1, 2, '12GiB') } }),
    hostsOf(text),
  );
  expect(proof.short).toEqual([{ group: 'workers.w', machines: 1, host: 'a', resource: 'memory', missing: 2048 }]);
});

/** Edits of a file, one after the other, each seen by a planner that looks at the world the last one left. */
test('an untouched machine keeps its VMID, MAC, UUID, address and host through any edit of the rest', () => {
  let edits = 0;
  const { seed, numRuns } = sweep('random edits', 50, 2500);
  fc.assert(
    fc.property(
      anyFile,
      anyForeigners,
      fc.array(anyEdit, { minLength: 4, maxLength: 4 }),
      (start, foreigners, changes) => {
        const current = structuredClone(start);
        let proof = prove(current, withForeigners(current, foreigners));
        for (const { apply } of changes) {
          const before = new Map(proof.machines.map((placed) => [placed.machine.name, placed]));
          const world = hostsOf(hostsYaml([proof]));
          apply(current);
          proof = prove(current, world);
          edits++;
          for (const { machine, identity, host } of proof.machines) {
            const earlier = before.get(machine.name);
            if (earlier?.host == null) continue;
            expect({ name: machine.name, host, ...identity }).toEqual({
              name: machine.name,
              host: earlier.host,
              ...earlier.identity,
            });
          }
        }
      },
    ),
    { numRuns, seed },
  );
  process.stderr.write(`random edits: ${edits} edits, none moved or renumbered an untouched machine\n`);
}, 600_000);

function withForeigners(
  { spec }: AnyFile,
  foreigners: readonly { host: number; vmid: number; cpu: number; memory: string }[],
): Inventory {
  const { hosts, capacity } = spec.machines.proxmox;
  const seen = new Set<number>();
  const own = foreigners.filter(({ vmid }) => !seen.has(vmid) && seen.add(vmid));
  return hostsOf(
    JSON.stringify({
      shared: { ceph: '20TiB' },
      hosts: Object.fromEntries(
        hosts.map((name, index) => [
          name,
          {
            ...(capacity[name] as object),
            machines: own
              .filter(({ host }) => host % hosts.length === index)
              .map(({ vmid, cpu, memory }) => ({ vmid, cpu, memory })),
          },
        ]),
      ),
    }),
  );
}

/** Everything below is computed from the machines alone, by other arithmetic than the planner's. */
function load({ machines }: Proof, host: string): { cpu: number; memoryMiB: number; disk: number } {
  const here = machines.filter((placed) => placed.host === host).map(({ machine }) => machine.shape);
  return {
    cpu: here.reduce((total, { cpu }) => total + cpu, 0),
    memoryMiB: here.reduce((total, { memoryMiB }) => total + memoryMiB, 0),
    disk: here.reduce(
      (total, { disks }) =>
        total +
        disks.filter(({ datastore }) => datastore === 'local-lvm').reduce((sum, { sizeGiB }) => sum + sizeGiB, 0),
      0,
    ),
  };
}

test('no placement exceeds a host, and the numbers of a proof add up', () => {
  fc.assert(
    fc.property(anyFile, anyForeigners, (random, foreigners) => {
      const inventory = withForeigners(random, foreigners);
      const proof = prove(random, inventory);
      const { overcommit, reserve } = random.spec.cluster.placement as {
        overcommit: { cpu: number };
        reserve: { memory: string };
      };
      const reserved = { '0MiB': 0, '1GiB': 1024, '4GiB': 4096 }[reserve.memory] ?? 0;
      for (const host of inventory.hosts) {
        const ours = load(proof, host.name);
        const others = host.residents.reduce(
          (total, { size }) => ({
            cpu: total.cpu + (size?.cpu ?? 0),
            memoryMiB: total.memoryMiB + (size?.memoryMiB ?? 0),
          }),
          { cpu: 0, memoryMiB: 0 },
        );
        const gauge = (resource: string) =>
          proof.hosts
            .find(({ name }) => name === host.name)
            ?.gauges.find((candidate) => candidate.resource === resource);
        expect(gauge('cpu')).toEqual({
          resource: 'cpu',
          capacity: host.cpu * overcommit.cpu,
          before: others.cpu,
          after: others.cpu + ours.cpu,
        });
        expect(gauge('memory')).toEqual({
          resource: 'memory',
          capacity: host.memoryMiB - reserved,
          before: others.memoryMiB,
          after: others.memoryMiB + ours.memoryMiB,
        });
        const overfull = others.cpu > host.cpu * overcommit.cpu || others.memoryMiB > host.memoryMiB - reserved;
        if (!overfull) {
          expect(ours.cpu + others.cpu).toBeLessThanOrEqual(host.cpu * overcommit.cpu);
          expect(ours.memoryMiB + others.memoryMiB).toBeLessThanOrEqual(host.memoryMiB - reserved);
          expect(ours.disk).toBeLessThanOrEqual(host.disks?.['local-lvm'] ?? 0);
        }
      }
      const unplaced = proof.machines.filter(({ host }) => host === null);
      expect(proof.fits).toBe(proof.short.length === 0);
      if (unplaced.length > 0) expect(proof.fits).toBe(false);
      expect(proof.hosts.flatMap(({ machines }) => machines).length + unplaced.length).toBe(proof.machines.length);
      for (const loss of proof.losses) {
        const lost = proof.machines.filter(
          ({ host, machine }) => host === loss.host && machine.role === 'control-plane',
        ).length;
        const all = random.spec.cluster.controlPlane.replicas;
        expect([loss.membersLeft, loss.quorum]).toEqual([
          all - lost,
          all - lost >= Math.floor(all / 2) + 1 ? 'kept' : 'lost',
        ]);
      }
    }),
    sweep('random platforms', 100, 5000),
  );
}, 600_000);

test('control planes with high availability are never together, and one lost host never costs the majority', () => {
  fc.assert(
    fc.property(anyFile, (random) => {
      const proof = prove(random);
      if (random.spec.cluster.highAvailability === false || random.spec.cluster.controlPlane.replicas < 3) return;
      const hosts = proof.machines
        .filter(({ machine, host }) => machine.role === 'control-plane' && host !== null)
        .map(({ host }) => host);
      expect(new Set(hosts).size).toBe(hosts.length);
      if (proof.fits) expect(proof.losses.every(({ quorum }) => quorum === 'kept')).toBe(true);
    }),
    sweep('control planes apart', 60, 3000),
  );
}, 300_000);

test('a spread is never more uneven than it must be', () => {
  fc.assert(
    fc.property(anyFile, fc.integer({ min: 1, max: 20 }), (random, replicas) => {
      const only = structuredClone(random);
      only.spec.cluster.workers = { w: { replicas, cpu: 4, memory: '8GiB', disk: '40GiB' } };
      const proof = prove(only);
      const { overcommit } = only.spec.cluster.placement as { overcommit: { cpu: number } };
      const count = (host: string): number =>
        proof.machines.filter((placed) => placed.host === host && placed.machine.role === 'worker').length;
      const hasRoom = (host: string): boolean => {
        const gauges = proof.hosts.find(({ name }) => name === host)?.gauges ?? [];
        const needs: Record<string, number> = { cpu: 4, memory: 8192, 'disk:local-lvm': 40 };
        return (
          overcommit.cpu > 0 &&
          gauges.every(({ resource, capacity, after }) => after + (needs[resource] ?? 0) <= capacity)
        );
      };
      const counts = proof.hosts.map(({ name }) => ({ name, workers: count(name) }));
      for (const many of counts) {
        for (const few of counts)
          if (many.workers - few.workers >= 2)
            expect({ ...few, room: hasRoom(few.name) }).toEqual({ ...few, room: false });
      }
    }),
    sweep('even spreads', 120, 3000),
  );
}, 300_000);

test('the order of keys and hosts changes nothing', () => {
  fc.assert(
    fc.property(anyFile, (random) => {
      const turned = structuredClone(random);
      turned.spec.cluster.workers = Object.fromEntries(Object.entries(turned.spec.cluster.workers).toReversed());
      turned.spec.machines.proxmox.hosts.reverse();
      turned.spec.machines.proxmox.capacity = Object.fromEntries(
        Object.entries(turned.spec.machines.proxmox.capacity).toReversed(),
      );
      const summary = ({ machines, fits, short }: Proof) => ({
        fits,
        short,
        machines: machines.map(({ machine, host, identity }) => ({ name: machine.name, host, ...identity })),
      });
      expect(summary(prove(turned))).toEqual(summary(prove(random)));
    }),
    sweep('other orders', 80, 2000),
  );
}, 300_000);

test('with pools of different sizes the fullest host is as empty as can be found', () => {
  const hosts = {
    a: { cpu: 64, memory: '256GiB' },
    b: { cpu: 32, memory: '256GiB' },
    c: { cpu: 32, memory: '256GiB' },
  };
  const proof = prove(
    file(hosts, {
      controlPlane: { replicas: 1, cpu: 2, memory: '4GiB' },
      workers: { big: worker(3, 16), mid: worker(4, 8), tiny: worker(6, 2, '2GiB') },
      placement: { overcommit: { cpu: 2 } },
    }),
  );
  const cpu = proof.hosts.map(({ name, gauges }) => `${name} ${gauges[0]?.after} of ${gauges[0]?.capacity}`);
  expect(cpu).toEqual(['a 48 of 128', 'b 24 of 64', 'c 22 of 64']);
});

test('what is said to fit does fit', () => {
  fc.assert(
    fc.property(anyFile, (random) => {
      for (const { change, to } of prove(random).nearest) {
        if (!change.startsWith('cluster.')) continue;
        const { platforms } = read({
          sources: [{ name: 'p.yaml', content: JSON.stringify(random) }],
          settings: [`${change}=${to}`],
        });
        const [platform] = platforms;
        expect(platform && provePlatform(platform, undefined).fits).toBe(true);
      }
    }),
    sweep('nearest requests', 60, 1500),
  );
}, 300_000);

import type { DatacenterOptions, StorageOptions } from '../../src/lab/proxmox/twin.ts';
import type { Pause } from '../../src/model/pause.ts';
import type { World, Write } from '../../src/providers/conformance-world.ts';
import { aCluster, aRequest } from './cluster.ts';
import { Guests } from './guests.ts';
import { serveImages } from './image-server.ts';
import { Someone } from './someone.ts';

/** The first request by which each write begins to change something. */
const requests: Readonly<Record<Write, string>> = {
  create: 'POST /nodes/*/qemu',
  start: 'POST /nodes/*/qemu/*/status/start',
  stop: 'POST /nodes/*/qemu/*/status/stop',
  reset: 'POST /nodes/*/qemu/*/status/reset',
  eject: 'POST /nodes/*/qemu/*/config',
  resize: 'PUT /nodes/*/qemu/*/resize',
  delete: 'DELETE /nodes/*/qemu/*',
  image: 'POST /nodes/*/storage/*/download-url',
  'keep apart': 'POST /cluster/ha/resources',
  firewall: 'POST /cluster/firewall/groups/*',
};

/** Disks lie where they take the room that they are given at once: a thin datastore would promise them anything. */
const storages: readonly StorageOptions[] = [
  { id: 'local', type: 'dir', content: ['iso', 'import', 'vztmpl', 'backup', 'snippets'] },
  { id: 'local-lvm', type: 'lvm', content: ['images', 'rootdir'] },
];

/** The suite’s data centre, as the lab’s Proxmox plays it. */
export async function proxmoxWorld(options: DatacenterOptions & { readonly speed?: number } = {}): Promise<World> {
  const guests = new Guests();
  const images = await serveImages();
  const cluster = await aCluster({ guests: guests.factory, storages, ...options });
  const { lab, clock } = cluster;
  const someone = new Someone(lab, clock);
  const hosts = [...lab.endpoints.keys()];
  const url = `${images.url}/talos.iso`;
  for (const host of hosts) {
    const form = { content: 'iso', filename: 'talos.iso', url };
    await someone.does('POST', `/nodes/${host}/storage/local/download-url`, form);
  }
  images.fetched.length = 0;
  let interruption: { readonly after: number; readonly meanwhile: () => Promise<void> } | undefined;
  const unreached = (): number => lab.requests().filter(({ status }) => status === 595).length;
  const pause: Pause = async (ms, signal) => {
    const due = interruption !== undefined && unreached() >= interruption.after ? interruption : undefined;
    if (due !== undefined) {
      interruption = undefined;
      await due.meanwhile();
    }
    await clock.sleep(ms, signal);
  };
  return {
    platform: 'prod',
    hosts,
    datastore: 'local-lvm',
    secrets: [cluster.token.split('=')[1] ?? ''],
    open: () => cluster.open({}, { pause }),
    request: (number, changed) => aRequest(401 + number, changed),
    image: (kind) => {
      const name = kind === 'disk' ? 'other.qcow2' : 'other.iso';
      const checksum = { algorithm: 'sha256', hex: images.sha256(name) } as const;
      return { kind, url: `${images.url}/${name}`, name, checksum, download: 'host', datastore: 'local' };
    },
    fetched: () => images.fetched.length,
    machines: () =>
      lab.vms().map(({ vmid, host, running, config }) => ({
        id: String(vmid),
        host,
        running,
        written: Object.entries(config)
          .map(([key, value]) => `${key}: ${value}`)
          .join('\n'),
      })),
    picture: () => pictureOf(someone, hosts, lab.vms()),
    resets: (id) => guests.resets(Number(id)),
    foreign: async (id, host) => {
      const form = { vmid: id, name: 'web', memory: 512, scsi0: 'local-lvm:1', net0: 'virtio,bridge=vmbr0' };
      await someone.does('POST', `/nodes/${host}/qemu`, form);
    },
    vanish: async (id) => {
      const host = lab.vms().find(({ vmid }) => String(vmid) === id)?.host;
      await someone.does('POST', `/nodes/${host}/qemu/${id}/status/stop`);
      await someone.does('DELETE', `/nodes/${host}/qemu/${id}`, { purge: 1 });
    },
    report: (id, report) => guests.report(Number(id), report),
    lose: (write, fate) =>
      lab.fail({ kind: fate === 'done' ? 'lose-answer' : 'lose-request', match: requests[write], times: 1 }),
    interrupt: (write, meanwhile) => {
      // Each endpoint is asked before it is given up for a while.
      lab.fail({
        kind: 'refuse',
        match: requests[write],
        times: hosts.length,
        status: 595,
        reason: 'No route to host',
      });
      interruption = { after: unreached() + hosts.length, meanwhile };
    },
    lost: () => lab.requests().filter(({ status }) => status === 0).length,
    power: (host, state) => lab.setHost(host, state === 'up' ? 'up' : 'dead'),
    fill: (datastore, freeGiB) => {
      for (const host of hosts) lab.fill(datastore, freeGiB, host);
    },
    [Symbol.asyncDispose]: async () => {
      await cluster[Symbol.asyncDispose]();
      await images[Symbol.asyncDispose]();
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

/** VMs, what lies on storages, what the HA manager knows, and the firewall; without what only counts or changes by itself. */
async function pictureOf(
  someone: Someone,
  hosts: readonly string[],
  vms: readonly { readonly vmid: number; readonly host: string }[],
): Promise<string> {
  const read = async (path: string): Promise<unknown> => bare(await someone.does('GET', path));
  const groups = (await read('/cluster/firewall/groups')) as readonly Row[];
  const sets = (await read('/cluster/firewall/ipset')) as readonly Row[];
  const picture = {
    vms,
    storage: await Promise.all(
      hosts.flatMap((host) =>
        ['local', 'local-lvm'].map((storage) => read(`/nodes/${host}/storage/${storage}/content`)),
      ),
    ),
    resources: await read('/cluster/ha/resources'),
    rules: await read('/cluster/ha/rules').catch(() => read('/cluster/ha/groups')),
    groups: await Promise.all(groups.map(({ group }) => read(`/cluster/firewall/groups/${String(group)}`))),
    sets: await Promise.all(sets.map(({ name }) => read(`/cluster/firewall/ipset/${String(name)}`))),
    walls: await Promise.all(
      vms.flatMap(({ vmid, host }) =>
        ['rules', 'options'].map((part) => read(`/nodes/${host}/qemu/${vmid}/firewall/${part}`)),
      ),
    ),
  };
  return JSON.stringify(picture, undefined, 1);
}

/** Lists and keys come in any order, digests with every write. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(bare).toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !['digest', 'ctime', 'pos', 'order'].includes(key))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, bare(each)]),
  );
}

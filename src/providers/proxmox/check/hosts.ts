import { Problem } from '../../../model/problem.ts';
import type { Finding, ImageRequest } from '../../provider.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { flagOf, rowsOf, textOf } from '../api/row.ts';
import { ApiProblem } from '../api/problem.ts';
import { wantedOf, type Wanted } from '../read/images.ts';
import { storesOf, type Store } from '../read/stores.ts';
import type { ProxmoxSettings } from '../settings.ts';
import type { Checked } from './cluster.ts';
import { findingOf, type Look } from './finding.ts';

/** The image, and the medium with a machine’s first configuration. */
const imageRoom = 3 * 2 ** 30;

export async function checkHosts(checked: Checked, signal: AbortSignal): Promise<readonly Finding[]> {
  const found = await Promise.all(checked.settings.hosts.map((host) => checkHost(checked, host, signal)));
  return found.flat();
}

async function checkHost(checked: Checked, host: string, signal: AbortSignal): Promise<readonly Finding[]> {
  const { api, settings, images, resources } = checked;
  const listed = resources.hosts.find(({ name }) => name === host);
  const there = await findingOf({
    about: 'host',
    host,
    what: `${host} is in the cluster and online.`,
    look: () =>
      listed === undefined
        ? noHost(
            host,
            resources.hosts.map(({ name }) => name),
          )
        : listed.online
          ? undefined
          : offline(host),
  });
  if (there.problem !== undefined) return [there];
  const stores = storesOf(api, host, signal);
  const looks: readonly Look[] = [
    {
      about: 'storage',
      host,
      what: `${settings.datastore} on ${host} takes disks.`,
      look: async () => storeProblem(await stores, host, settings.datastore, 'images', 0),
    },
    ...placesOf(settings, images).map(({ store, content }): Look => ({
      about: 'storage',
      host,
      what: `${store} on ${host} takes images (${content}) and has room for one.`,
      look: async () => storeProblem(await stores, host, store, content, imageRoom),
    })),
    {
      about: 'bridge',
      host,
      what: `${settings.bridge} is there on ${host}${settings.vlan === undefined ? '' : ` and carries VLAN ${settings.vlan}`}.`,
      look: () => bridgeProblem(api, host, settings, signal),
    },
    ...images.flatMap((image) => ('url' in image ? [imageLook(api, host, image, signal)] : [])),
  ];
  return [there, ...(await Promise.all(looks.map(findingOf)))];
}

/** Where images are to lie, each place once; the medium with a first configuration is an ISO, too. */
function placesOf(
  { imageDatastore }: ProxmoxSettings,
  images: readonly ImageRequest[],
): readonly Pick<Wanted, 'store' | 'content'>[] {
  const places = [{ store: imageDatastore, content: 'iso' as const }, ...images.map(wantedOf)];
  return places.filter(
    ({ store, content }, index) =>
      places.findIndex((other) => other.store === store && other.content === content) === index,
  );
}

const noHost = (host: string, known: readonly string[]): Problem =>
  new Problem('proxmox-no-host', `There is no host “${host}” in this cluster; it has ${known.join(', ')}.`, {
    remedy: 'Correct machines.proxmox.hosts; the hosts are listed by:\n    pvecm nodes',
  });

const offline = (host: string): Problem =>
  new Problem('proxmox-host-offline', `${host} is offline.`, {
    recovery: 'wait',
    remedy: `Look whether it is up, and sees the others:\n    ssh root@${host} pvecm status`,
  });

function storeProblem(
  stores: readonly Store[],
  host: string,
  name: string,
  content: string,
  bytes: number,
): Problem | undefined {
  const store = stores.find((each) => each.name === name);
  if (store === undefined) {
    return new Problem('proxmox-no-storage', `There is no datastore “${name}” on ${host}, or we may not see it.`, {
      remedy: `Correct the datastore in the file; what there is, is listed by:\n    ssh root@${host} pvesm status`,
    });
  }
  if (!store.active) {
    return new Problem('proxmox-storage-off', `The datastore ${name} is switched off or not reachable on ${host}.`, {
      remedy: `Look what is wrong with it:\n    ssh root@${host} pvesm status --storage ${name}`,
    });
  }
  if (!store.content.includes(content)) {
    const all = [...store.content, content].toSorted().join(',');
    return new Problem(
      'proxmox-storage-content',
      `The datastore ${name} on ${host} does not take ${content}, only ${store.content.toSorted().join(', ')}.`,
      { remedy: `Allow it there, or name another datastore:\n    ssh root@${host} pvesm set ${name} --content ${all}` },
    );
  }
  if (store.available >= bytes) return undefined;
  const free = (store.available / 2 ** 30).toFixed(1);
  return new Problem(
    'proxmox-storage-full',
    `The datastore ${name} on ${host} has ${free} GiB free, and an image needs about 3 GiB.`,
    {
      remedy: `Make room, or name another datastore:\n    ssh root@${host} pvesm list ${name}`,
    },
  );
}

async function bridgeProblem(
  api: ProxmoxApi,
  host: string,
  { bridge, vlan }: ProxmoxSettings,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const request = {
    path: path`/nodes/${host}/network`,
    doing: `list the bridges of ${host}`,
    params: { type: 'any_bridge' },
  };
  const rows = rowsOf(await api.get(request, signal));
  const found = rows.find((row) => textOf(row, 'iface') === bridge);
  if (found === undefined) {
    if (await isVnet(api, bridge, signal)) return undefined;
    const names = rows.flatMap((row) => textOf(row, 'iface') ?? []).toSorted();
    return new Problem(
      'proxmox-no-bridge',
      `There is no bridge “${bridge}” on ${host}, or we may not use it; we see ${names.length === 0 ? 'none' : names.join(', ')}.`,
      {
        remedy: `Correct machines.proxmox.bridge, or make it on the host:\n    ssh root@${host} ip -br link show type bridge`,
      },
    );
  }
  if (vlan === undefined || textOf(found, 'type') !== 'bridge' || flagOf(found, 'bridge_vlan_aware')) return undefined;
  return new Problem(
    'proxmox-bridge-vlan',
    `${bridge} on ${host} is not VLAN-aware: Proxmox makes a second bridge ${bridge}v${vlan} for the machines, which needs a physical port in ${bridge}.`,
    {
      severity: 'warning',
      remedy: `Make it VLAN-aware, unless that is what you want:\n    ssh root@${host} pvesh set /nodes/${host}/network/${bridge} --type bridge --bridge_vlan_aware 1`,
    },
  );
}

/** Networks of Proxmox’s SDN are bridges, too. */
async function isVnet(api: ProxmoxApi, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    const rows = rowsOf(await api.get({ path: '/cluster/sdn/vnets', doing: 'list the virtual networks' }, signal));
    return rows.some((row) => textOf(row, 'vnet') === name);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

/** What the host itself was told. */
const saidBy = (problem: Problem): string =>
  (problem instanceof ApiProblem ? problem.said : problem.message).replace(/\.$/, '');

/** It would not stop anybody: another way is left. */
const fetchedHere = (host: string, { message, remedy }: Problem): Problem =>
  new Problem('proxmox-image-unreachable', `${message} This machine would fetch the image and upload it to ${host}.`, {
    severity: 'warning',
    remedy,
  });

function imageLook(
  api: ProxmoxApi,
  host: string,
  { url, download }: Extract<ImageRequest, { url: string }>,
  signal: AbortSignal,
): Look {
  if (download === 'here') {
    return { about: 'image', host, what: `This machine brings the image to ${host}.`, look: () => undefined };
  }
  return {
    about: 'image',
    host,
    what: `${host} reaches ${url}.`,
    look: async () => {
      const request = {
        path: path`/nodes/${host}/query-url-metadata`,
        doing: `look for the image from ${host}`,
        params: { url },
        needs: { path: `/nodes/${host}`, privilege: 'Sys.AccessNetwork' },
      };
      try {
        await api.get(request, signal);
        return undefined;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.code !== 'proxmox-download') return download === 'auto' ? fetchedHere(host, error) : error;
        const unreachable = new Problem('proxmox-image-unreachable', `${host} cannot have ${url}: ${saidBy(error)}.`, {
          remedy: `Let the host reach it, or let this machine bring it with cluster.talos.image.download: here.\n    ssh root@${host} curl -sSI '${url}'`,
        });
        return download === 'auto' ? fetchedHere(host, unreachable) : unreachable;
      }
    },
  };
}

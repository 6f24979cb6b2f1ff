import { Problem } from '../../../model/problem.ts';
import type { Finding } from '../../provider.ts';
import { groupBy } from '../../../model/group.ts';
import { wantedOf } from '../read/images.ts';
import { storesOf, type Store } from '../read/stores.ts';
import type { Checked } from './cluster.ts';
import { findingOf, type Look } from './finding.ts';
import { clockProblem, versionProblem } from './host.ts';
import { bridgeProblem } from './network.ts';
import { imageLook, onceFromHere, type FromHere } from './images.ts';
import { datastoresOf } from './rights.ts';

/** The image, and the medium with a machine’s first configuration. */
const imageRoom = 3 * 2 ** 30;

export async function checkHosts(checked: Checked, signal: AbortSignal): Promise<readonly Finding[]> {
  const here = onceFromHere(checked.api.tools.tryFile, signal);
  const found = await Promise.all(checked.settings.hosts.map((host) => checkHost(checked, host, here, signal)));
  return found.flat();
}

async function checkHost(
  checked: Checked,
  host: string,
  here: FromHere,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const { api, settings, needs, resources } = checked;
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
      about: 'version',
      host,
      what: `${host} runs a Proxmox VE that is new enough, 8.0 or later.`,
      look: () =>
        versionProblem(
          api,
          host,
          needs.images.some(({ kind }) => kind === 'disk'),
          signal,
        ),
    },
    {
      about: 'clock',
      host,
      what: `The clocks of ${host} and of this machine agree.`,
      look: () => clockProblem(api, host, signal),
    },
    ...usesOf(checked).map((use): Look => ({
      about: 'storage',
      host,
      what: `${use.store} on ${host} ${usedFor(use)}.`,
      look: async () => storeProblem(await stores, host, use),
    })),
    {
      about: 'bridge',
      host,
      what: `${settings.bridge} is there on ${host}${settings.vlan === undefined ? '' : ` and carries VLAN ${settings.vlan}`}.`,
      look: () => bridgeProblem(checked, host, signal),
    },
    ...needs.images.map((image) => imageLook(checked, { host, image, here }, signal)),
  ];
  return [there, ...(await Promise.all(looks.map(findingOf)))];
}

/** What a datastore is for: each is looked at once on a host. */
type Use = { readonly store: string; readonly contents: readonly string[] };

/** Disks, images, and the medium with a first configuration, which is an ISO too. */
function usesOf({ settings, needs }: Checked): readonly Use[] {
  const uses = [
    ...datastoresOf(settings, needs).map((store) => ({ store, content: 'images' })),
    { store: settings.imageDatastore, content: 'iso' },
    ...needs.images.map(wantedOf),
  ];
  return [...groupBy(uses, ({ store }) => store)].map(([store, mine]) => ({
    store,
    contents: [...new Set(mine.map(({ content }) => content))].toSorted(),
  }));
}

const filesIn = ({ contents }: Use): readonly string[] => contents.filter((content) => content !== 'images');

function usedFor(use: Use): string {
  const files = filesIn(use);
  const takes = [
    ...(use.contents.includes('images') ? ['disks'] : []),
    ...(files.length === 0 ? [] : [`images (${files.join(', ')})`]),
  ];
  return `takes ${takes.join(' and ')}${files.length === 0 ? '' : ' and has room for one'}`;
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

function storeProblem(stores: readonly Store[], host: string, use: Use): Problem | undefined {
  const name = use.store;
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
  const refused = use.contents.filter((content) => !store.content.includes(content));
  if (refused.length > 0) {
    const all = [...store.content, ...refused].toSorted().join(',');
    return new Problem(
      'proxmox-storage-content',
      `The datastore ${name} on ${host} does not take ${refused.join(' and ')}, only ${store.content.toSorted().join(', ')}.`,
      { remedy: `Allow it there, or name another datastore:\n    ssh root@${host} pvesm set ${name} --content ${all}` },
    );
  }
  if (filesIn(use).length === 0 || store.available >= imageRoom) return undefined;
  const free = (store.available / 2 ** 30).toFixed(1);
  return new Problem(
    'proxmox-storage-full',
    `The datastore ${name} on ${host} has ${free} GiB free, and an image needs about 3 GiB.`,
    {
      remedy: `Make room, or name another datastore:\n    ssh root@${host} pvesm list ${name}`,
    },
  );
}

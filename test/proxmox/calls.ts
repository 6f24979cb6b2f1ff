import type { MachineRef, Provider } from '../../src/providers/provider.ts';
import { aCluster, aRequest, type Cluster } from './cluster.ts';
import { serveImages } from './image-server.ts';

export type Calls = { readonly perMachine: number; readonly constant: number };

type What = 'create' | 'unchanged' | 'start' | 'destroy' | 'destroyRunning';

export type Counted = Readonly<Record<What, Calls>>;

/**
 * How many calls of the API a machine costs, made from a disk image, one machine after the other: what so many more machines cost
 * more, and what is left of all calls without that.
 */
export async function callsPerMachine(machines: number): Promise<Counted> {
  const [few, many] = [await totals(machines), await totals(machines * 2)];
  const calls = (what: What): Calls => {
    const perMachine = (many[what] - few[what]) / machines;
    return { perMachine: rounded(perMachine), constant: rounded(few[what] - perMachine * machines) };
  };
  return {
    create: calls('create'),
    unchanged: calls('unchanged'),
    start: calls('start'),
    destroy: calls('destroy'),
    destroyRunning: calls('destroyRunning'),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Time runs faster than on the wall, and by far not as fast as elsewhere: how often a task is looked at depends on it. */
const speed = 40;

async function totals(machines: number): Promise<Readonly<Record<What, number>>> {
  await using images = await serveImages();
  await using cluster = await aCluster({ speed });
  const signal = AbortSignal.timeout(600_000);
  const { writer } = cluster.provider;
  const name = 'talos.qcow2';
  const [image] = await writer.ensureImage(
    { kind: 'disk', url: `${images.url}/${name}`, name, checksum: undefined, download: 'host', datastore: 'local' },
    ['pve1', 'pve2', 'pve3'],
    signal,
  );
  if (image === undefined) throw new Error('There is no image.');
  const hosts = [...cluster.lab.endpoints.keys()];
  const requests = Array.from({ length: machines }, (_, index) => {
    const host = hosts[index % hosts.length] ?? '';
    return aRequest(401 + index, { host, image: { ...image, host } });
  });
  const refs: MachineRef[] = [];
  const each = async (work: (provider: Provider, ref: MachineRef) => Promise<unknown>): Promise<void> => {
    const provider = cluster.open();
    for (const ref of refs) await work(provider, ref);
  };
  const makeAll = async (): Promise<void> => {
    const provider = cluster.open();
    refs.length = 0;
    for (const request of requests) refs.push(await provider.writer.create(request, signal));
  };
  const create = await counted(cluster, makeAll);
  const unchanged = await counted(cluster, async () => {
    await cluster.open().reader.survey(signal);
  });
  const destroy = await counted(cluster, () => each((provider, ref) => provider.writer.delete(ref, signal)));
  await makeAll();
  const start = await counted(cluster, () => each((provider, ref) => provider.writer.setPower(ref, 'on', signal)));
  const destroyRunning = await counted(cluster, () => each((provider, ref) => provider.writer.delete(ref, signal)));
  return { create, unchanged, start, destroy, destroyRunning };
}

async function counted({ lab }: Cluster, work: () => Promise<void>): Promise<number> {
  const before = lab.requests().length;
  await work();
  return lab.requests().length - before;
}

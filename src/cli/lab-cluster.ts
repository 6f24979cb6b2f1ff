import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Platform } from '../engine.ts';
import type { KubernetesTwin } from '../lab/kubernetes/twin.ts';
import type { Lab } from '../lab/lab.ts';
import type { MachineWish } from '../lab/machines.ts';
import { Problem } from '../model/problem.ts';
import type { PlacedMachine } from '../model/proof.ts';
import { writeWhole } from './files.ts';
import type { KubernetesDoor } from './kubernetes-door.ts';
import { labFiles } from './lab-folder.ts';
import { readChecked } from './options.ts';
import type { LabDoor } from './lab.ts';

/** Where the access to a lab’s cluster was written. */
export type LabAccess = { readonly kubeconfig: string; readonly talosconfig: string };

const patienceMs = 120_000;

/** Makes the platform of the lab’s own file real: machines, Talos on them, Kubernetes, and a network where the file has one. */
export async function bringUpCluster(
  lab: Lab,
  dir: string,
  network: { readonly cidr: string; readonly gateway: string },
  { tools, terminal: here, kubernetes }: LabDoor,
): Promise<LabAccess> {
  const terminal = here();
  const at = (file: string): string => join(dir, file);
  const signal = AbortSignal.timeout(patienceMs);
  const [engine, { generate }, { applyConfigs }, { unconfiguredNodes, nodesOfContext }, { askNodes }, client, system] =
    await Promise.all([
      import('../engine.ts'),
      import('../engine/talos-gen.ts'),
      import('../engine/talos-apply.ts'),
      import('../engine/talos-access.ts'),
      import('../engine/talos-nodes.ts'),
      tools.client(),
      tools.system(),
    ]);
  const { reading } = await readChecked({ file: [at(labFiles.platform)] }, terminal);
  const [platform] = reading.platforms;
  const [proof] = engine.prove(reading, undefined);
  if (platform === undefined || proof === undefined) throw new Error('The lab’s own platform file has no platform.');
  if (!proof.fits)
    throw new Problem('lab-too-small', 'The lab’s hosts do not carry its cluster.', {
      remedy: 'Start it with more hosts: --hosts 3',
    });

  const { makeMachines } = await import('../lab/machines.ts');
  const { version, extensions } = platform.cluster.talos;
  // Keys take their time, and so do machines.
  const [generated] = await Promise.all([
    generate({ platform, present: new Map(), folder: dir, resolved: new Map() }, system),
    makeMachines(
      lab,
      { version, extensions },
      proof.machines.map((placed) => wishOf(placed, network)),
    ),
  ]);
  const textOf = (path: string): string => generated.files.find((file) => file.path === path)?.text ?? '';
  await writeWhole(at(labFiles.secrets), textOf('secrets.yaml'), 0o600);
  await writeWhole(at(labFiles.talosconfig), textOf('talosconfig'), 0o600);

  const addressOf = ({ identity }: PlacedMachine): string => identity.address ?? '';
  await until(
    () => lab.guests.running().filter(({ talos }) => talos?.stage === 'maintenance').length === proof.machines.length,
    signal,
  );
  const applied = await applyConfigs(
    proof.machines.flatMap((placed) =>
      unconfiguredNodes([addressOf(placed)], undefined).map((node) => ({
        node,
        config: textOf(`nodes/${placed.machine.name}.yaml`),
      })),
    ),
    client.open,
    { mode: 'auto', dryRun: false },
    signal,
  );
  for (const { problem } of applied) if (problem !== undefined) throw problem;

  const planes = proof.machines.filter(({ machine }) => machine.role === 'control-plane').map(addressOf);
  const first = nodesOfContext(
    { text: textOf('talosconfig'), file: at(labFiles.talosconfig) },
    { nodes: planes.slice(0, 1), endpoints: planes.slice(0, 1) },
    system.clock,
  );
  const ask = async <T>(what: Parameters<typeof askNodes<T>>[2]): Promise<T> => {
    for (;;) {
      const [answer] = await askNodes(first, client.open, what, signal);
      if (answer?.problem === undefined && answer !== undefined) return answer.answer;
      if (signal.aborted) throw answer?.problem ?? new Error('No node was asked.');
      await setTimeout(50);
    }
  };
  await ask((node, stop) => node.bootstrap({}, stop));
  await until(() => lab.clusters.length > 0, signal);
  await writeWhole(at(labFiles.kubeconfig), await ask((node, stop) => node.kubeconfig(stop)), 0o600);
  const { cni } = platform.cluster;
  if (cni.cilium !== undefined) await installNetwork(platform, at(labFiles.kubeconfig), kubernetes, signal);
  const isThere = cni.none === undefined ? isReady : isKnown;
  await until(
    () => proof.machines.every(({ machine }) => lab.clusters.some(({ twin }) => isThere(twin, machine.hostname))),
    signal,
  );
  return { kubeconfig: at(labFiles.kubeconfig), talosconfig: at(labFiles.talosconfig) };
}

const isReady = (twin: KubernetesTwin, node: string): boolean => twin.isReady(node);
const isKnown = ({ api }: KubernetesTwin, node: string): boolean => api.get('/nodes', undefined, node) !== undefined;

/** By a Job, as where there is no helm: the lab’s time may run faster than that of a program outside. */
async function installNetwork(
  platform: Platform,
  kubeconfig: string,
  kubernetes: KubernetesDoor,
  signal: AbortSignal,
): Promise<void> {
  const [{ installCni }, { clock, entropy, pause }] = await Promise.all([
    import('../engine/cni.ts'),
    kubernetes.system(),
  ]);
  await using client = await kubernetes.open({ kubeconfig }, () => undefined);
  await installCni(
    platform,
    { atMostMs: patienceMs, wait: true },
    { client, helm: undefined, clock, entropy, pause: (_, stop) => pause(50, stop), tell: () => undefined },
    signal,
  );
}

function wishOf(
  { machine, identity, host }: PlacedMachine,
  network: { readonly cidr: string; readonly gateway: string },
): MachineWish {
  const { address } = identity;
  return {
    name: machine.name,
    host: host ?? '',
    vmid: identity.vmid ?? 0,
    mac: identity.mac,
    cpu: machine.shape.cpu,
    memoryMiB: machine.shape.memoryMiB,
    diskGiB: machine.shape.disks[0]?.sizeGiB ?? 20,
    ...(address === null
      ? {}
      : { address: { cidr: `${address}/${network.cidr.split('/')[1] ?? '24'}`, gateway: network.gateway } }),
  };
}

async function until(holds: () => boolean, signal: AbortSignal): Promise<void> {
  while (!holds()) {
    if (signal.aborted)
      throw new Problem('took-too-long', 'The lab’s cluster did not come up in time.', {
        recovery: 'wait',
        remedy: 'Start the lab again with less beside it, or without --cluster.',
      });
    await setTimeout(20);
  }
}

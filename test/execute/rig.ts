import { openKubernetes } from '../../src/clients/kubernetes/client.ts';
import { schematicRegistrar } from '../../src/clients/images/factory.ts';
import { bootstrapOnce } from '../../src/clients/talos/bootstrap.ts';
import { openTalos } from '../../src/clients/talos/node.ts';
import { probeTalos } from '../../src/clients/talos/probe.ts';
import { materialOf } from '../../src/engine/material.ts';
import { handlers } from '../../src/execute/handlers.ts';
import type { StepContext, Tools } from '../../src/execute/tools.ts';
import { hurriedClock } from '../../src/lab/clock.ts';
import { startLab, type Lab } from '../../src/lab/lab.ts';
import { usualDurations } from '../../src/lab/proxmox/durations.ts';
import { quickDurations } from '../../src/lab/talos/node/hardware.ts';
import type { MachineRef } from '../../src/model/observed.ts';
import { Problem } from '../../src/model/problem.ts';
import type { Identity } from '../../src/model/proof.ts';
import type { Machine } from '../../src/model/machine.ts';
import type { MachineOrder, Step } from '../../src/model/step.ts';
import { platformIdentities } from '../../src/plan/proof.ts';
import { openProxmox } from '../../src/providers/proxmox/proxmox.ts';
import type { ProxmoxSettings } from '../../src/providers/proxmox/settings.ts';
import type { Platform } from '../../src/spec/platform.ts';
import { imageName, imageRequestFor } from '../../src/talos/image-requests.ts';
import { schematicText } from '../../src/talos/schematic/schematic.ts';
import { schematicFor } from '../../src/talos/boot-image.ts';
import { seededEntropy } from '../entropy.ts';
import { MemoryStore } from '../memory-store.ts';
import { platformOf } from '../talos-platform.ts';
import { platformFile } from '../said.ts';

type StepOf<K extends Step['kind']> = Omit<Extract<Step, { readonly kind: K }>, 'kind'>;

/** A data centre on loopback, a platform for it, and the handlers at work on it. */
export type Rig = AsyncDisposable & {
  readonly lab: Lab;
  readonly tools: Tools;
  readonly store: MemoryStore;
  readonly platform: Platform;
  /** What steps said and waited for. */
  readonly told: string[];
  readonly ref: (machine: string) => MachineRef;
  readonly order: (machine: string) => MachineOrder;
  /** Another run on the same world, perhaps with something else in the file: nothing is found yet. */
  readonly anew: (cluster?: string) => Tools;
  readonly does: <K extends Step['kind']>(kind: K, step: StepOf<K>, tools?: Tools) => Promise<void>;
  /** What a person would read. */
  readonly refuses: <K extends Step['kind']>(kind: K, step: StepOf<K>, tools?: Tools) => Promise<Problem>;
  /** The whole way to machines that wait in maintenance mode. */
  readonly machinesUp: (...machines: readonly string[]) => Promise<void>;
  readonly up: (...machines: readonly string[]) => Promise<void>;
};

const quick = { ...usualDurations, importPerGiB: 100, downloadPerGiB: 100, agentSilence: 500 };

export type RigOptions = {
  readonly controlPlanes?: number;
  readonly workers?: number;
  readonly cluster?: string;
  readonly machines?: string;
  readonly speed?: number;
  readonly atMostMs?: number;
};

export async function aRig(options: RigOptions = {}): Promise<Rig> {
  // Behind the wall, so that no certificate is too new for it.
  const clock = hurriedClock(1, options.speed ?? 20);
  const lab = await startLab({
    addresses: 'mapped',
    network: '192.168.99.0/24',
    hosts: 2,
    clock,
    durations: quick,
    talos: { durations: quickDurations },
  });
  const platform = platformOf(platformText(lab, options));
  const connect = lab.connector();
  const store = new MemoryStore();
  const provider = openProxmox(
    { ...(platform.provider as unknown as ProxmoxSettings), tls: { insecure: false } },
    { credentials: { kind: 'token', token: lab.proxmox.token() }, ca: lab.proxmox.ca },
    {
      clock,
      pause: (ms, signal) => clock.sleep(ms, signal),
      random: () => 0.5,
      warn: () => undefined,
      connect,
      fetchFile: () => Promise.reject(new Error('nothing is to be fetched here')),
      tryFile: () => Promise.reject(new Error('nothing is to be fetched here')),
    },
  );
  const entropy = seededEntropy('rig');
  const materialFor = (file: Platform) =>
    materialOf({ platform: file, source: { file: 'platform.yaml' }, resolved: new Map() }, store, { clock, entropy });
  const material = materialFor(platform);
  const anew = (cluster?: string): Tools => ({
    clock,
    pause: (ms, signal) => clock.sleep(ms, signal),
    entropy,
    store,
    provider,
    talos: {
      open: (target) => openTalos({ ...target, connect }),
      probe: (target, signal) => probeTalos({ ...target, connect }, signal),
      bootstrapOnce,
    },
    openKubernetes: (target, others) =>
      openKubernetes(target, { connect, ...(others === undefined ? {} : { others }) }),
    helm: async () => undefined,
    registerSchematic: schematicRegistrar({}),
    material: cluster === undefined ? material : materialFor(platformOf(platformText(lab, { ...options, cluster }))),
    found: { addresses: new Map(), refs: new Map(), images: new Map() },
  });
  const tools = anew();
  const told: string[] = [];
  const context: StepContext = {
    tell: (event) => void told.push(event.kind === 'says' ? event.text : `${event.for}: ${event.because}`),
    atMostMs: options.atMostMs ?? 100_000,
  };
  const identities = new Map(
    platformIdentities(platform, undefined).map(([machine, identity]) => [machine.name, { machine, identity }]),
  );
  const whois = (name: string): { readonly machine: Machine; readonly identity: Identity } => {
    const found = identities.get(name);
    if (found === undefined) throw new Error(`There is no machine ${name}.`);
    return found;
  };
  const hostOf = (machine: Machine): string => (machine.index % 2 === 0 ? 'pve1' : 'pve2');
  const mark = (name: string) => ({ platform: platform.name, name, uuid: whois(name).identity.uuid });
  const rig: Rig = {
    lab,
    tools,
    store,
    platform,
    told,
    anew,
    ref: (name) => ({ mark: mark(name), id: String(whois(name).identity.vmid), host: hostOf(whois(name).machine) }),
    order: (name) => {
      const { machine, identity } = whois(name);
      return {
        mark: mark(name),
        role: machine.role,
        pool: machine.pool,
        hostname: machine.hostname,
        host: hostOf(machine),
        id: String(identity.vmid),
        shape: machine.shape,
        mac: identity.mac,
        image: imageName(imageRequestFor(platform, machine)),
        staticAddress: undefined,
      };
    },
    does: (kind, step, given = tools) =>
      (handlers[kind] as unknown as (...all: readonly unknown[]) => Promise<void>)(
        { kind, ...step },
        given,
        context,
        AbortSignal.timeout(60_000),
      ),
    refuses: async (kind, step, given = tools) => {
      const outcome = await rig.does(kind, step, given).catch((error: unknown) => error);
      if (outcome instanceof Problem) return outcome;
      throw outcome instanceof Error ? outcome : new Error(`${kind} was not refused.`);
    },
    machinesUp: async (...machines) => {
      const { talos } = platform.cluster;
      for (const image of material.images) {
        const id = schematicFor(platform, platform.cluster.controlPlane);
        const text = schematicText({ extensions: talos.extensions, extraKernelArgs: talos.kernelArgs });
        await rig.does('image.ensure', {
          image,
          hosts: ['pve1', 'pve2'],
          schematic: { factory: talos.image.factory, id, text },
        });
      }
      await Promise.all(
        machines.map(async (machine) => {
          await rig.does('machine.create', { machine, order: rig.order(machine) });
          await rig.does('machine.start', { machine, ref: rig.ref(machine) });
          await rig.does('talos.reach', { machine, ref: rig.ref(machine) });
        }),
      );
    },
    up: async (...machines) => {
      await rig.does('secrets.make', {});
      await rig.machinesUp(...machines);
      await Promise.all(machines.map((machine) => rig.does('talos.configure', { machine, ref: rig.ref(machine) })));
      const planes = machines.filter((machine) => material.controlPlanes.includes(machine));
      await Promise.all(planes.map((machine) => rig.does('talos.await-up', { machine, ref: rig.ref(machine) })));
      const [first] = planes;
      if (first !== undefined) await rig.does('etcd.bootstrap', { machine: first, ref: rig.ref(first) });
      await Promise.all(planes.map((machine) => rig.does('etcd.await-member', { machine, ref: rig.ref(machine) })));
      await rig.does('kubernetes.await-api', {});
      await rig.does('cni.install', { network: 'cilium', version: '' });
      await rig.does('node.await-ready', { machines });
    },
    [Symbol.asyncDispose]: async () => {
      await provider[Symbol.asyncDispose]();
      await lab[Symbol.asyncDispose]();
    },
  };
  return rig;
}

function platformText(lab: Lab, { controlPlanes = 1, workers = 1, cluster = '', machines = '' }: RigOptions): string {
  const [first = '', ...others] = lab.proxmox.endpoints.values();
  return platformFile({
    machines: `{ proxmox: { endpoint: "${first}", endpoints: [${others.map((url) => `{ url: "${url}" }`).join(', ')}], token: { env: TOKEN }, hosts: [pve1, pve2], datastore: local-lvm, imageDatastore: local, bridge: vmbr0${machines === '' ? '' : `, ${machines}`} } }`,
    cluster: `{ talos: { version: v1.13.9, extensions: [qemu-guest-agent], image: { factory: "${lab.factory.url}" } }, controlPlane: { replicas: ${controlPlanes}, cpu: 2, memory: 4GiB, disk: 20GiB }, workers: { general: { replicas: ${workers}, cpu: 2, memory: 4GiB, disk: 20GiB } }, highAvailability: false, cni: { cilium: {} }${cluster === '' ? '' : `, ${cluster}`} }`,
  });
}

import type { Plan, PlannedStep } from '../src/model/plan.ts';
import type { Step } from '../src/model/step.ts';
import { imageName } from '../src/talos/image-requests.ts';
import type { Platform } from '../src/spec/platform.ts';
import { holdsData, isUp, unmade, type Imagined, type ImaginedMachine } from './imagined.ts';

/** What becomes of everything when a plan is carried out. */
export function imagine(plan: Plan, imagined: Imagined, platform: Platform): Imagined {
  const next = structuredClone(imagined);
  if (plan.intent === 'destroy') endLife(next);
  for (const step of plan.steps) carryOut(step, next, platform);
  return next;
}

/** The pure effect of one step; throws where a handler would refuse. */
export function carryOut({ step }: PlannedStep, imagined: Imagined, platform: Platform): void {
  const machine = (name: string): ImaginedMachine =>
    (imagined.machines[name] ??= unmade(platform, wantedMachine(platform, name)));
  const vmOf = (name: string) => {
    const { vm } = machine(name);
    if (vm === null || vm === undefined) throw new Error(`${step.kind} of ${name}, which has no VM.`);
    return vm;
  };
  switch (step.kind) {
    case 'secrets.make':
      if (imagined.secrets === 'there') throw new Error('There are secrets already.');
      imagined.secrets = 'there';
      return;
    case 'secrets.delete':
      imagined.secrets = 'absent';
      return;
    case 'image.ensure':
      imagined.images[imageName(step.image)] = [
        ...new Set([...(imagined.images[imageName(step.image)] ?? []), ...step.hosts]),
      ];
      return;
    case 'machine.create':
      create(step, machine(step.machine), imagined, platform);
      return;
    case 'machine.start':
      vmOf(step.machine).power = 'on';
      return;
    case 'machine.stop':
    case 'talos.shutdown':
      if (step.kind === 'machine.stop' && step.ref.mark.uuid !== vmOf(step.machine).mark.uuid)
        throw new Error('Another machine.');
      vmOf(step.machine).power = 'off';
      return;
    case 'machine.resize': {
      const vm = vmOf(step.machine);
      machine(step.machine).vm = {
        ...vm,
        cpu: step.shape.cpu,
        memoryMiB: step.shape.memoryMiB,
        disks: [
          ...step.shape.disks.map((disk) => ({ ...disk })),
          ...vm.disks.filter(({ name }) => !step.shape.disks.some((disk) => disk.name === name)),
        ],
      };
      return;
    }
    case 'machine.eject':
      machine(step.machine).vm = { ...vmOf(step.machine), medium: undefined };
      return;
    case 'machine.delete':
      if (step.ref.mark.uuid !== vmOf(step.machine).mark.uuid) throw new Error('Another machine.');
      if (vmOf(step.machine).power === 'on') throw new Error(`${step.machine} still runs.`);
      machine(step.machine).vm = null;
      machine(step.machine).disk = 'empty';
      if (!platform.machines.some(({ name }) => name === step.machine)) delete imagined.machines[step.machine];
      endWithLast(imagined);
      return;
    case 'machine.forget': {
      const { [step.machine]: _, ...configured } = imagined.memory.configured;
      imagined.memory = { ...imagined.memory, configured };
      return;
    }
    case 'machines.guard':
      imagined.memory = { ...imagined.memory, guarded: step.digest };
      return;
    case 'talos.reach':
      if (machine(step.machine).vm?.power === 'off') throw new Error(`${step.machine} has no power.`);
      machine(step.machine).address ??= `192.0.2.${Object.keys(imagined.machines).indexOf(step.machine) + 10}`;
      imagined.hidden = imagined.hidden.filter((what) => what !== `talos ${step.machine}`);
      return;
    case 'talos.configure':
      configure(machine(step.machine), imagined);
      return;
    case 'talos.await-up':
      machine(step.machine).stage = 'running';
      machine(step.machine).address ??= `192.0.2.${Object.keys(imagined.machines).indexOf(step.machine) + 10}`;
      imagined.hidden = imagined.hidden.filter((what) => what !== `talos ${step.machine}`);
      if (machine(step.machine).disk !== 'ours')
        throw new Error(`${step.machine} never comes up: it has no configuration.`);
      return;
    case 'talos.reconfigure':
      machine(step.machine).changes = [];
      return;
    case 'talos.upgrade':
      machine(step.machine).version = step.to;
      machine(step.machine).schematic = step.image.split('/').at(-1)?.split(':')[0];
      return;
    case 'talos.reset': {
      const { [step.machine]: _, ...configured } = imagined.memory.configured;
      imagined.memory = { ...imagined.memory, configured };
      machine(step.machine).disk = 'empty';
      endWithLast(imagined);
      return;
    }
    case 'etcd.bootstrap':
      if (holdsData(imagined)) throw new Error('etcd is there already.');
      imagined.members = {};
      imagined.network = imagined.network.kind === 'not-ours' ? imagined.network : { kind: 'absent' };
      imagined.memory = { ...imagined.memory, bootstrap: { machine: step.machine, chosenAt: '2026-11-17T12:00:00Z' } };
      join(step.machine, imagined);
      imagined.nodes = {};
      return;
    case 'etcd.await-member':
      join(step.machine, imagined);
      imagined.hidden = imagined.hidden.filter((what) => what !== 'etcd');
      return;
    case 'etcd.remove':
      if (isUp(imagined.machines[imagined.members[step.hostname]?.machine ?? '']))
        throw new Error(`${step.hostname} is at work.`);
      delete imagined.members[step.hostname];
      noteLife(imagined);
      return;
    case 'etcd.leave':
      delete imagined.members[step.hostname];
      noteLife(imagined);
      return;
    case 'kubernetes.await-api':
      imagined.hidden = imagined.hidden.filter((what) => what !== 'nodes' && what !== 'network');
      imagined.nodes ??= {};
      return;
    case 'cni.install':
      imagined.network = { kind: 'current' };
      return;
    case 'node.await-ready':
      for (const name of step.machines) {
        if (machine(name).disk !== 'ours') throw new Error(`${name} never becomes Ready.`);
        const node = nodeOf(imagined, name);
        (imagined.nodes ??= {})[node] = {
          schedulable: true,
          drained: false,
          ...imagined.nodes[node],
          machine: name,
          ready: true,
        };
      }
      return;
    case 'cluster.await-healthy':
    case 'kubernetes.await-server':
    case 'kubernetes.await-kubelet':
      return;
    case 'node.drain':
      imagined.nodes![step.node] = { ...imagined.nodes![step.node]!, schedulable: false, drained: true };
      return;
    case 'node.uncordon':
      imagined.nodes![step.node] = { ...imagined.nodes![step.node]!, schedulable: true, drained: false };
      return;
    case 'node.delete':
      delete imagined.nodes?.[step.node];
      return;
    case 'artifacts.write':
      for (const path of step.files) imagined.artifacts[path] = 'same';
      return;
    case 'cluster.forget':
      for (const path of step.files) imagined.artifacts[path] = 'absent';
      imagined.memory = { ...imagined.memory, bootstrap: undefined, configured: {}, guarded: undefined };
      imagined.members = {};
      imagined.nodes = undefined;
      imagined.network = imagined.network.kind === 'not-ours' ? imagined.network : { kind: 'absent' };
  }
}

const wantedMachine = (platform: Platform, name: string) => {
  const found = platform.machines.find((machine) => machine.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
};

const nodeOf = ({ nodes }: Imagined, machine: string): string =>
  Object.entries(nodes ?? {}).find(([, node]) => node.machine === machine)?.[0] ?? machine;

function create(
  step: Extract<Step, { kind: 'machine.create' }>,
  machine: ImaginedMachine,
  imagined: Imagined,
  platform: Platform,
): void {
  if (machine.vm !== null) throw new Error(`${step.machine} is there already.`);
  const { order } = step;
  if (imagined.images[order.image]?.includes(order.host) !== true)
    throw new Error(`${order.host} lacks ${order.image}.`);
  Object.assign(machine, unmade(platform, wantedMachine(platform, step.machine)));
  machine.vm = {
    mark: order.mark,
    id: order.id ?? order.mark.uuid,
    host: order.host,
    power: 'off',
    cpu: order.shape.cpu,
    memoryMiB: order.shape.memoryMiB,
    disks: order.shape.disks.map((disk) => ({ ...disk })),
    macs: [order.mac],
    medium: order.image.endsWith('.iso') || order.image.includes(':iso/') ? order.image : undefined,
    staticAddress: order.staticAddress?.address,
    settings: {},
  };
}

function configure(machine: ImaginedMachine, imagined: Imagined): void {
  if (imagined.secrets === 'absent') throw new Error('There are no secrets.');
  if (machine.vm?.power === 'off') throw new Error(`${machine.name} has no power.`);
  if (machine.disk === 'foreign') throw new Error(`${machine.name} is somebody else's.`);
  if (machine.disk === 'ours') return;
  machine.disk = 'ours';
  machine.changes = [];
  machine.stage = 'booting';
  if (machine.vm === undefined) {
    const configured = {
      ...imagined.memory.configured,
      [machine.name]: { address: machine.address ?? '', role: machine.role },
    };
    imagined.memory = { ...imagined.memory, configured };
  }
}

function join(name: string, imagined: Imagined): void {
  const there = Object.entries(imagined.members).find(([, member]) => member.machine === name);
  imagined.members[there?.[0] ?? name] = { id: there?.[1].id ?? `id-${name}`, machine: name, learner: false };
  noteLife(imagined);
}

/** With the last of its members the cluster is gone. */
function endWithLast(imagined: Imagined): void {
  if (!holdsData(imagined)) Object.assign(imagined, { members: {}, nodes: undefined });
}

/** As every look of a run does. */
function noteLife(imagined: Imagined): void {
  const { bootstrap } = imagined.memory;
  const members = Object.values(imagined.members)
    .flatMap(({ machine }) => machine ?? [])
    .toSorted();
  if (bootstrap !== undefined)
    imagined.memory = {
      ...imagined.memory,
      bootstrap: { machine: bootstrap.machine, chosenAt: bootstrap.chosenAt, members },
    };
}

/** What a destroy does before the first machine goes. */
export function endLife(imagined: Imagined): void {
  const { bootstrap } = imagined.memory;
  if (bootstrap !== undefined) imagined.memory = { ...imagined.memory, bootstrap: { ...bootstrap, ending: true } };
}

import { diskGiB } from '../../model/machine.ts';
import { formatGiB, formatMiB } from '../../model/size.ts';
import type { Disruption, MachineOrder, Step, StepKind } from '../../model/step.ts';
import { someOf } from './names.ts';

/** `+` makes something, `~` changes something, `-` takes something away, `>` only waits. */
export type Mark = '+' | '~' | '-' | '>';

export type StepWords = {
  readonly mark: Mark;
  /** The same for machines that are alike. */
  readonly what: string;
  /** What is this machine’s own: its host, its number, its address. */
  readonly where?: string;
};

type Words = {
  readonly [K in StepKind]: (step: Extract<Step, { readonly kind: K }>) => StepWords;
};

const files = (paths: readonly string[]): string => someOf(paths, 6);
const several = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function created({ shape, id, host, staticAddress }: MachineOrder): StepWords {
  const { cpu, memoryMiB } = shape;
  const number = id === undefined ? '' : ` as ${id}`;
  const address = staticAddress === undefined ? '' : `, ${staticAddress.address}`;
  return {
    mark: '+',
    what: `create: ${cpu} cpu, ${formatMiB(memoryMiB)} memory, ${formatGiB(diskGiB(shape))} disk`,
    where: `on ${host}${number}${address}`,
  };
}

const words: Words = {
  'secrets.make': () => ({ mark: '+', what: 'make the secrets of the cluster' }),
  'secrets.delete': () => ({ mark: '-', what: 'delete the secrets of the cluster' }),
  'image.ensure': ({ image, hosts }) => ({
    mark: '+',
    what: `image ${'name' in image ? image.name : image.volume}`,
    where: `on ${someOf(hosts, 6)}`,
  }),
  'machine.create': ({ order }) => created(order),
  'machine.start': () => ({ mark: '~', what: 'start' }),
  'machine.resize': ({ changes }) => ({ mark: '~', what: `resize: ${changes.join(', ').replaceAll('->', '→')}` }),
  'machine.stop': () => ({ mark: '~', what: 'cut the power' }),
  'machine.eject': () => ({ mark: '~', what: 'eject the installation medium' }),
  'machine.delete': ({ ref }) => ({
    mark: '-',
    what: 'delete the machine with its disks',
    where: `${ref.id} on ${ref.host}`,
  }),
  'machine.forget': ({ address }) => ({ mark: '-', what: 'forget it, as it is', where: `at ${address}` }),
  'machines.guard': ({ refs }) => ({
    mark: '~',
    what: `tell the provider how to guard ${several(refs.length, 'machine')}`,
  }),
  'talos.reach': () => ({ mark: '>', what: 'it has an address and Talos answers there' }),
  'talos.configure': () => ({ mark: '+', what: 'first configuration' }),
  'talos.await-up': () => ({ mark: '>', what: 'Talos is up' }),
  'talos.reconfigure': ({ changes, reboot }) => ({
    mark: '~',
    what: `configuration: ${several(changes.length, 'value')}${reboot ? ', and a reboot' : ''}`,
  }),
  'talos.upgrade': ({ from, to, image }) => ({
    mark: '~',
    what: from === to ? `Talos ${to} with other extensions or kernel arguments: ${image}` : `Talos ${from} → ${to}`,
  }),
  'talos.shutdown': () => ({ mark: '~', what: 'shut down' }),
  'talos.reset': ({ address }) => ({ mark: '-', what: 'wipe everything on it', where: `at ${address}` }),
  'etcd.bootstrap': () => ({ mark: '+', what: 'bootstrap etcd, once in the cluster’s life' }),
  'etcd.await-member': () => ({ mark: '>', what: 'it votes in etcd' }),
  'etcd.leave': () => ({ mark: '-', what: 'leave etcd' }),
  'etcd.remove': ({ hostname }) => ({ mark: '-', what: `remove etcd’s member ${hostname}, whose machine is gone` }),
  'kubernetes.await-api': () => ({ mark: '>', what: 'the Kubernetes API answers' }),
  'kubernetes.await-server': () => ({ mark: '>', what: 'its control plane serves' }),
  'kubernetes.await-kubelet': () => ({ mark: '>', what: 'its kubelet works' }),
  'cni.install': ({ network, version }) => ({ mark: '+', what: `install ${network} ${version}` }),
  'node.await-ready': ({ machines }) => ({
    mark: '>',
    what: machines.length === 1 ? `${machines[0]} is Ready` : `${machines.length} nodes are Ready`,
  }),
  'cluster.await-healthy': ({ except }) => ({
    mark: '>',
    what: `etcd and all nodes${except.length === 0 ? '' : ` but ${someOf(except)}`} are healthy`,
  }),
  'node.drain': () => ({ mark: '~', what: 'drain' }),
  'node.uncordon': () => ({ mark: '~', what: 'let pods in again' }),
  'node.delete': () => ({ mark: '-', what: 'delete the Node' }),
  'artifacts.write': ({ files: paths }) => ({ mark: '+', what: `write ${files(paths)}` }),
  'cluster.forget': ({ files: paths }) => ({
    mark: '-',
    what: `forget this life of the cluster${paths.length === 0 ? '' : `, and delete ${files(paths)}`}`,
  }),
};

/** What a step does, for people. A kind that is missing does not compile. */
export const stepWords = <K extends StepKind>(step: Extract<Step, { readonly kind: K }>): StepWords =>
  (words[step.kind] as (step: Extract<Step, { readonly kind: K }>) => StepWords)(step);

/** What it does to those who use the platform; nothing is worth no words. */
export const disruptionWords: Readonly<Record<Disruption, string>> = {
  none: '',
  restart: 'restarts the machine',
  drain: 'moves its pods elsewhere',
  downtime: 'something is not reachable meanwhile',
  data: 'data is lost for ever',
};

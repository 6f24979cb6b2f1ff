import type { Seen } from '../../src/model/seen.ts';
import type { TalosWorld, World, WorldMachine } from '../../src/model/world.ts';

/** A world as lines that a reviewer can follow. */
export const outline = (world: World): readonly string[] => [
  ...world.machines.map(machineLine),
  `etcd ${seen(
    world.etcd,
    (members) =>
      members
        .map(({ machine, hostname }) => machine ?? hostname)
        .toSorted()
        .join(' ') || 'none',
  )}`,
  `nodes ${seen(world.nodes, (nodes) => nodes?.map(({ name, machine, ready }) => `${name}${machine === name ? '' : `=${machine}`}${ready ? '' : '!'}`).join(' ') ?? 'no cluster')}`,
  `network ${seen(world.network, ({ kind }) => kind)}`,
  ...(world.artifacts.length === 0
    ? []
    : [`files ${world.artifacts.map(({ path, standing }) => `${path}:${standing}`).join(' ')}`]),
];

export const seen = <T>(value: Seen<T>, words: (value: T) => string): string =>
  value.kind === 'unknown' ? `? ${value.because}` : words(value.value);

const machineLine = ({ name, wanted, vm, talos }: WorldMachine): string =>
  [
    name,
    ...(wanted ? [] : ['left']),
    vm === undefined ? '' : seen(vm, (there) => (there === null ? 'no vm' : `on ${there.host}`)),
    seen(talos, (there) => (there === undefined ? 'nothing' : talosWords(there))),
  ]
    .filter((word) => word !== '')
    .join(' ');

const talosWords = (talos: TalosWorld): string =>
  talos.kind === 'ours'
    ? [talos.stage, ...talos.changes.map(({ path, reboot }) => `${path}${reboot ? ' (reboot)' : ''}`)].join(' ')
    : talos.kind;

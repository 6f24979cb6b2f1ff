import { nearest } from '../../model/nearest.ts';
import { allSeatsOf, byName, type PlatformDraft } from '../expand.ts';
import { countsAcrossPools, fewOf, isSound, machineNamed, unknownPlaceholders } from '../names.ts';
import { clip, type Path } from '../tree.ts';
import type { Said } from './rule.ts';

const at = (...steps: (string | number)[]) => ['spec', 'cluster', ...steps];

export function* nameTemplates({ spec }: PlatformDraft): Iterable<Said> {
  const names = spec.cluster?.names;
  for (const key of ['controlPlane', 'worker'] as const) {
    const template = names?.[key];
    if (template === undefined) continue;
    const [unknown] = unknownPlaceholders(template);
    if (unknown !== undefined) {
      yield {
        path: at('names', key),
        code: 'unknown-placeholder',
        message: `${clip(unknown)} is not a placeholder.`,
        remedy: 'Use {platform}, {pool}, {index} or {number}; {number:2} has two digits.',
      };
    } else if (!isSound(template)) {
      yield {
        path: at('names', key),
        code: 'same-names',
        message: 'Without {index} or {number} all these machines would have one name.',
        remedy: 'Put {index} in.',
      };
    }
  }
  const pools = Object.keys(spec.cluster?.workers ?? {});
  if (names?.worker !== undefined && pools.length > 1 && countsAcrossPools(names.worker)) {
    yield {
      path: at('names', 'worker'),
      code: 'same-names',
      message: 'With several pools a name without {pool} would change when another pool does.',
      remedy: 'Put {pool} in.',
    };
  }
}

export function* poolNames({ spec }: PlatformDraft): Iterable<Said> {
  if (spec.cluster?.workers?.['cp'] === undefined) return;
  yield {
    path: at('workers', 'cp'),
    code: 'reserved-name',
    message: 'A pool cannot be called "cp": control planes are named so.',
    remedy: 'Call it for example "general".',
  };
}

const hostnameForm = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** Every machine gets a name of its own that DNS takes. */
export function* machineNames(platform: PlatformDraft): Iterable<Said> {
  const seen = new Set<string>();
  for (const { name, role, pool } of allSeatsOf(platform) ?? []) {
    const path = role === 'worker' ? at('workers', pool ?? '') : at('controlPlane');
    if (seen.has(name)) {
      yield {
        path,
        code: 'same-names',
        message: `Two machines would be called "${clip(name, 100)}".`,
        remedy: 'Change cluster.names, or the name of the pool.',
      };
      return;
    }
    if (name.length > 63 || !hostnameForm.test(name)) {
      yield {
        path,
        code: 'wrong-name',
        message: `"${clip(name, 100)}" cannot be the name of a machine.`,
        remedy:
          'Names have up to 63 lower-case letters, digits and dashes: shorten the platform’s or the pool’s name, or change cluster.names.',
      };
      return;
    }
    seen.add(name);
  }
}

/** The name of a VM and a node, where it is not the machine's, is nobody else's. */
export function* ownHostnames(platform: PlatformDraft): Iterable<Said> {
  const { spec, name } = platform;
  const seats = allSeatsOf(platform);
  if (seats === undefined) return;
  const machines = byName(seats);
  const renamed = new Map(
    Object.entries(spec.cluster?.nodes ?? {}).flatMap(([written, node]) => {
      const machine = machineNamed(written, name, machines);
      return machine && node?.hostname !== undefined ? [[machine.name, { written, hostname: node.hostname }]] : [];
    }),
  );
  const owners = new Map(seats.filter((seat) => !renamed.has(seat.name)).map((seat) => [seat.name, seat.name]));
  for (const [machine, { written, hostname }] of renamed) {
    const owner = owners.get(hostname);
    if (owner !== undefined)
      yield {
        path: at('nodes', written, 'hostname'),
        code: 'same-names',
        message: `"${machine}" and "${owner}" would both be called "${hostname}".`,
        remedy: 'Give each its own hostname.',
      };
    else owners.set(hostname, machine);
  }
}

const stem = (machine: string): string => machine.replace(/\d+$/, '');

/** The last machine of the group, where only the number is wrong. */
const lastLike = (meant: string, written: string, names: Iterable<string>): string | undefined =>
  stem(meant) === stem(written) ? [...names].findLast((name) => stem(name) === stem(written)) : undefined;

/** Whatever names a machine must name one that is there. */
export function* namedMachines(platform: PlatformDraft): Iterable<Said> {
  const { spec, name } = platform;
  const seats = allSeatsOf(platform);
  if (seats === undefined) return;
  const machines = byName(seats);
  const shortNames = seats.map((seat) => seat.name.replace(`${name}-`, ''));
  const places: readonly (readonly [Path, object | undefined])[] = [
    [at('nodes'), spec.cluster?.nodes],
    [at('placement', 'pinned'), spec.cluster?.placement?.pinned],
    [['spec', 'machines', 'existing', 'machines'], spec.machines?.existing?.machines],
  ];
  for (const [path, named] of places) {
    const before = new Map<string, string>();
    for (const written of Object.keys(named ?? {})) {
      const machine = machineNamed(written, name, machines);
      const twin = machine && before.get(machine.name);
      if (machine === undefined) {
        const meant = nearest(written, written.startsWith(`${name}-`) ? machines.keys() : shortNames);
        const last = meant && lastLike(meant, written, written.startsWith(`${name}-`) ? machines.keys() : shortNames);
        yield {
          path: [...path, written],
          code: 'unknown-machine',
          message: `There is no machine "${clip(written)}" in this platform.`,
          remedy:
            meant === undefined
              ? `Machines here: ${fewOf([...machines.keys()])}.`
              : last === undefined
                ? `Did you mean "${meant}"?`
                : `The last of them is "${last}": ask for more replicas, or correct the number.`,
        };
      } else if (twin !== undefined) {
        yield {
          path: [...path, written],
          code: 'same-machine',
          message: `"${written}" and "${twin}" name the same machine.`,
          remedy: 'Keep one of the two.',
        };
      } else before.set(machine.name, written);
    }
  }
}

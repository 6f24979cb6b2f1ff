import type { Ask } from '../model/plan.ts';
import { fewOf } from '../spec/names.ts';
import { isOff } from './drift-settings.ts';
import type { Situation, Standing } from './situation.ts';

/** What a person decides before the first machine goes. */
export function destroyAsks(situation: Situation, all: readonly Standing[], confirmed: boolean): readonly Ask[] {
  const refused = situation.world.provider?.readOnly;
  if (refused !== undefined && all.some(({ observed }) => observed !== undefined)) return [readOnly(refused)];
  return [...(confirmed ? [] : unproved(situation, all)), ...guardedByHand(all)];
}

/** A mark is only a name, and others may use the same one: it is our secrets that a machine knows us by. */
function unproved({ world, platform }: Situation, all: readonly Standing[]): readonly Ask[] {
  const remembered = new Set(Object.keys(world.memory.configured));
  // Of machines that exist only those are touched that take our certificates; the others would be forgotten.
  const touched = platform.provider.kind === 'existing' ? all.filter(({ name }) => remembered.has(name)) : all;
  const doubtful = touched
    .filter(({ phase }) => phase === 'foreign' || (world.secrets === 'absent' && isPerhapsConfigured(phase)))
    .map(({ name }) => name);
  if (doubtful.length === 0) return [];
  const [are, them] = doubtful.length === 1 ? ['is', 'it is'] : ['are', 'they are'];
  const anyway = `If you are sure that ${them} yours:\n    ichor destroy --confirm ${platform.name}`;
  if (world.secrets === 'there')
    return [
      {
        code: 'foreign-talos',
        message: `${fewOf(doubtful)} ${are} configured with the secrets of another cluster: somebody else may call a platform "${platform.name}", too.`,
        remedy: anyway,
      },
    ];
  return [
    {
      code: 'secrets-missing',
      message: `${fewOf(doubtful)} ${are} there, and talos/secrets.yaml is not: nothing here proves that this is the platform "${platform.name}" that made ${doubtful.length === 1 ? 'it' : 'them'}.`,
      remedy: `Go to the folder, or name the --workspace, that has its secrets. ${anyway}`,
    },
  ];
}

/** One that waits in maintenance mode never was part of a cluster, or is no longer. */
const isPerhapsConfigured = (phase: Standing['phase']): boolean =>
  phase !== 'absent' && phase !== 'barred' && phase !== 'unseen' && phase !== 'maintenance';

export const isProtected = ({ observed }: Pick<Standing, 'observed'>): boolean =>
  observed !== undefined && !isOff(observed.settings['protection']);

/** The provider would refuse to delete it, when the others are gone already. */
export function guardedByHand(all: readonly Standing[]): readonly Ask[] {
  const held = all.flatMap(({ name, observed }) =>
    observed === undefined || !isProtected({ observed }) ? [] : [{ name, ...observed }],
  );
  if (held.length === 0) return [];
  const commands = held.map(({ id, host }) => `ssh root@${host} qm set ${id} --protection 0`);
  return [
    {
      code: 'protected',
      message: `${fewOf(held.map(({ name }) => name))} cannot be deleted: somebody protects ${held.length === 1 ? 'it' : 'them'}.`,
      remedy: `If ${held.length === 1 ? 'it' : 'they'} may go all the same:\n    ${commands.join(' && ')}`,
    },
  ];
}

const readOnly = (why: string): Ask => ({
  code: 'provider-read-only',
  message: `Nothing can be deleted at the moment: ${why}.`,
  remedy: 'Bring it back first, then look again:\n    ichor doctor',
});

import type { Ask } from '../model/plan.ts';
import type { Nearest, Proof, Shortage } from '../model/proof.ts';
import { formatGiB, formatMiB } from '../model/size.ts';
import { fewOf } from '../spec/names.ts';
import { takenAddresses } from './addresses.ts';
import { versionGap } from './changes.ts';
import { fileAsks } from './file-asks.ts';
import { guardedByHand } from './destroy-asks.ts';
import { damagedMarks } from './marks.ts';
import { otherMachines } from './others.ts';
import { nowhere } from './remains.ts';
import { resizeOf } from './resize.ts';
import { wantedOf, type Situation } from './situation.ts';

export type Asked = {
  readonly asks: readonly Ask[];
  /** `creation`: no machine may be made. `writes`: the provider takes no change at all. */
  readonly stopped: 'everything' | 'writes' | 'creation' | undefined;
};

/** What only a person can decide. */
export function asksOf(situation: Situation): Asked {
  const missing = missingSecrets(situation);
  if (missing !== undefined) return { asks: [missing], stopped: 'everything' };
  const swapped = otherMachines(situation);
  if (swapped.length > 0) return { asks: swapped, stopped: 'everything' };
  const { world, proof } = situation;
  const others = [
    ...damagedMarks(situation),
    ...takenAddresses(situation),
    ...foreign(situation),
    ...tooFar(situation),
    ...lostQuorum(situation),
    ...guardedByHand(situation.leaving),
  ];
  const impossible = fileAsks(situation);
  if (impossible.length > 0) return { asks: [...others, ...impossible], stopped: 'everything' };
  const needsRoom = wantedOf(situation).some(
    (standing) => standing.phase === 'absent' || resizeOf(standing)?.grows === true,
  );
  const noRoom = needsRoom && !proof.fits ? [doesNotFit(proof)] : [];
  const refused = world.provider?.readOnly;
  if (refused !== undefined && needsProvider(situation))
    return {
      asks: [...others, ...noRoom, readOnly(world.provider?.product ?? 'The provider', refused)],
      stopped: 'writes',
    };
  return { asks: [...others, ...noRoom], stopped: noRoom.length > 0 ? 'creation' : undefined };
}

const needsProvider = (situation: Situation): boolean =>
  wantedOf(situation).some(
    (standing) =>
      standing.phase === 'absent' ||
      standing.phase === 'off' ||
      standing.observed?.medium !== undefined ||
      resizeOf(standing) !== undefined,
  ) || situation.leaving.some(({ phase }) => phase !== 'absent');

function missingSecrets(situation: Situation): Ask | undefined {
  if (situation.world.secrets === 'there') return undefined;
  const configured = [...wantedOf(situation), ...situation.leaving]
    .filter(({ phase }) => phase === 'foreign' || phase === 'running' || phase === 'booting')
    .map(({ name }) => name);
  if (configured.length === 0) return undefined;
  return {
    code: 'secrets-missing',
    message: `${fewOf(configured)} ${configured.length === 1 ? 'is' : 'are'} configured already, and talos/secrets.yaml is missing: without the cluster’s secrets nobody gets in, and new ones would make another cluster.`,
    remedy:
      'Put talos/secrets.yaml back where it was; or make it again from a control plane’s configuration:\n    talosctl gen secrets --from-controlplane-config controlplane.yaml -o talos/secrets.yaml',
  };
}

const foreign = (situation: Situation): readonly Ask[] =>
  wantedOf(situation)
    .filter(({ phase }) => phase === 'foreign')
    .map(({ name, because, seen }) => ({
      code: 'foreign-talos',
      message: `${name} is configured already, and not with the secrets of this platform: ${because}.`,
      remedy: `If it is yours, bring the secrets that it was configured with. If it is to be wiped, reset it with its own talosconfig:\n    talosctl reset --nodes ${seen?.address ?? 'ADDRESS'} --graceful=false --reboot`,
    }));

function tooFar(situation: Situation): readonly Ask[] {
  const wanted = situation.platform.cluster.talos.version;
  const far = wantedOf(situation).filter(
    ({ talos }) => talos !== undefined && versionGap(talos.version, wanted).kind === 'too-far',
  );
  const [first] = far;
  if (first?.talos === undefined) return [];
  return [
    {
      code: 'upgrade-too-far',
      message: `${fewOf(far.map(({ name }) => name))} ${far.length === 1 ? 'runs' : 'run'} Talos ${first.talos.version}, and the file asks for ${wanted}: Talos goes up one minor version at a time.`,
      remedy:
        'Set cluster.talos.version to the next minor version, let that be rolled out, and go on from there:\n    ichor up',
    },
  ];
}

/** Members that are gone for good and that the rest has no majority without; where etcd is silent, those that are remembered. */
function lostQuorum(situation: Situation): readonly Ask[] {
  const { etcd, world, controlPlanes, leaving, members } = situation;
  if (etcd !== 'unclear') return [];
  const planes = [...controlPlanes, ...leaving];
  const voters =
    world.etcd.kind === 'unknown'
      ? (world.memory.bootstrap?.members ?? [])
      : members.flatMap(({ machine, hostname, learner }) => (learner ? [] : [machine ?? hostname]));
  const remembered = world.etcd.kind === 'unknown';
  const isNowhere = nowhere(situation);
  const isLost = (voter: string): boolean => {
    const plane = planes.find(({ name }) => name === voter);
    if (plane === undefined) return isNowhere(voter, remembered);
    return plane.phase === 'absent' || plane.phase === 'maintenance';
  };
  const lost = voters.filter(isLost);
  const left = voters.filter((voter) => !isLost(voter));
  if (left.length === 0 || left.length > Math.floor(voters.length / 2)) return [];
  const one = planes.find(({ name }) => name === left[0]);
  const at = one?.seen?.address ?? one?.machine?.fixed.address ?? 'ADDRESS';
  return [
    {
      code: 'quorum-lost',
      message: `etcd has ${voters.length} members, and ${fewOf(lost)} lost ${lost.length === 1 ? 'its' : 'their'} data: the ${left.length} that ${left.length === 1 ? 'is' : 'are'} left cannot decide anything.`,
      remedy: `If nothing of the cluster is to be kept: ichor destroy && ichor up. Else recover etcd from a snapshot, on one control plane whose etcd is wiped (do that on each of ${fewOf(left)}); the others join it:\n    ichor talos reset --no-graceful --reboot --system-labels-to-wipe EPHEMERAL -n ${at} && ichor talos etcd recover etcd.db -n ${at} && ichor up`,
    },
  ];
}

const readOnly = (product: string, because: string): Ask => ({
  code: 'provider-read-only',
  message: `${product} takes no changes at the moment: ${because}.`,
  remedy: 'Bring it back first, then look again:\n    ichor doctor',
});

function doesNotFit({ short, nearest, certain }: Proof): Ask {
  const missing = short.map(shortageWords).join('; ');
  const would = nearest.map(nearestWords);
  return {
    code: 'does-not-fit',
    message: `The machines do not fit${certain ? '' : ', as far as could be tried'}: ${missing}.`,
    remedy: `${would.length === 0 ? 'Ask for less, or add hosts.' : `It would fit with ${would.join(', or ')}.`} The whole proof:\n    ichor place`,
  };
}

function shortageWords({ group, machines, host, resource, missing }: Shortage): string {
  const who = machines === 0 ? 'all machines together' : `${machines} of ${group}`;
  if (resource === 'hosts') return `${who} find no host${host === null ? '' : ` (the nearest is ${host})`}`;
  const amount =
    resource === 'cpu' ? `${missing} cpu` : resource === 'memory' ? formatMiB(missing) : formatGiB(missing);
  const what = resource.startsWith('disk:')
    ? ` on datastore ${resource.slice(5)}`
    : resource === 'memory'
      ? ' of memory'
      : '';
  return `${who} lack${machines === 1 ? 's' : ''} ${amount}${what}${host === null ? '' : ` on ${host}`}`;
}

const nearestWords = ({ change, from, to }: Nearest): string => `${change} ${to} instead of ${from}`;

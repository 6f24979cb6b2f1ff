import type { ConfigChange } from '../model/step.ts';
import type { Ask } from '../model/plan.ts';
import { fewOf } from '../spec/names.ts';
import { whyNotUnderstood } from '../talos/versions.ts';
import { versionGap } from './changes.ts';
import { forLife } from './for-life.ts';
import { madeAnew } from './made-anew.ts';
import { kubernetesChange, minorIn, type VersionChange } from './kubernetes-version.ts';
import { isUp, wantedOf, type Situation, type Standing } from './situation.ts';

/** What the file asks for, and what no run can make of what is there: nothing is done before somebody decides. */
export const fileAsks = (situation: Situation): readonly Ask[] => [
  ...moved(situation),
  ...notUnderstood(situation),
  ...kubernetes(situation),
  ...forLife(situation),
];

function notUnderstood(situation: Situation): readonly Ask[] {
  const { talos, kubernetes: wanted } = situation.platform.cluster;
  return wantedOf(situation).flatMap(({ name, seen }) => {
    const there = seen?.talos.kind === 'known' ? seen.talos.value : undefined;
    const version = there?.kind === 'maintenance' ? there.version : undefined;
    const because = version && whyNotUnderstood(version, talos.version, wanted.version);
    if (because === undefined) return [];
    return [
      {
        code: 'talos-too-old',
        message: `${name} waits for its configuration with Talos ${version}, and the file asks for ${talos.version}: ${because}.`,
        remedy: `Start it from an image of ${talos.version}; or set cluster.talos.version to ${version}, build the cluster with it, and go up one minor version at a time:\n    ichor up`,
      },
    ];
  });
}

function moved(situation: Situation): readonly Ask[] {
  return wantedOf(situation).flatMap((standing) => {
    const { name, machine } = standing;
    const from = addressBefore(situation, standing);
    if (from === undefined || machine?.fixed.address === undefined) return [];
    return [
      {
        code: 'address-changed',
        message: `${name} is at ${from}, and the file says ${machine.fixed.address}: a machine that has its configuration is not moved to another address.`,
        remedy: `Set its address in the file back to ${from}. ${moveWords(situation, standing, from)}`,
      },
    ];
  });
}

function moveWords(situation: Situation, standing: Standing, from: string): string {
  const anew = madeAnew(situation, standing);
  if (anew !== undefined) return `If it is to have the other one, let it be made anew, which empties it:\n    ${anew}`;
  return situation.platform.provider.kind === 'existing'
    ? `If it is to have the other one, wipe it where it is, and let it wait there:\n    ichor talos reset -n ${from} --reboot`
    : 'It is needed for etcd as it is. Then look again:\n    ichor plan';
}

/** Where a machine was told to be, or was configured, when that is not where the file has it now. */
function addressBefore({ world }: Situation, { name, machine, observed, phase }: Standing): string | undefined {
  const wanted = machine?.fixed.address;
  const told = observed?.staticAddress ?? (phase === 'silent' ? world.memory.configured[name]?.address : undefined);
  return wanted === undefined || told === wanted ? undefined : told;
}

function kubernetes(situation: Situation): readonly Ask[] {
  if (situation.etcd === 'none') return [];
  const planes = situation.controlPlanes.filter(isUp).flatMap(({ name, talos }) => {
    const change = kubernetesChange(talos?.changes ?? noChanges);
    // Between patches of one minor version it may go either way.
    if (change === undefined || minorIn(change.from) === minorIn(change.to)) return [];
    return [{ name, ...change, gap: versionGap(change.from, change.to).kind }];
  });
  const back = planes.filter(({ gap }) => gap === 'back');
  const far = planes.filter(({ gap }) => gap === 'too-far');
  return [...back.slice(0, 1).map((each) => goesBack(each, back)), ...far.slice(0, 1).map((each) => tooFar(each, far))];
}

const noChanges: readonly ConfigChange[] = [];

type Named = readonly { readonly name: string }[];

const who = (planes: Named): string =>
  `${fewOf(planes.map(({ name }) => name))} ${planes.length === 1 ? 'runs' : 'run'}`;

const goesBack = ({ from, to }: VersionChange, planes: Named): Ask => ({
  code: 'kubernetes-back',
  message: `${who(planes)} Kubernetes ${from}, and the file asks for ${to}: Kubernetes does not go back, and an older one may not read what the newer one wrote.`,
  remedy: `Set cluster.kubernetes.version to ${from}, or to a newer one, and look again:\n    ichor plan`,
});

const tooFar = ({ from, to }: VersionChange, planes: Named): Ask => ({
  code: 'kubernetes-too-far',
  message: `${who(planes)} Kubernetes ${from}, and the file asks for ${to}: Kubernetes goes up one minor version at a time.`,
  remedy:
    'Set cluster.kubernetes.version to the next minor version, let that be rolled out, and go on from there:\n    ichor up',
});

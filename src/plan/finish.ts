import { createHash } from 'node:crypto';
import type { PlannedStep } from '../model/plan.ts';
import { idOf, planned } from './graph.ts';
import { imageRequestFor, imageName } from '../talos/image-requests.ts';
import { allReady } from './kubernetes.ts';
import { endOf } from './removal.ts';
import { wantedOf, type Situation, type Standing } from './situation.ts';
import { isStuck, type Ways } from './ways.ts';

/** What is done once machines run: media out, guards up, files written. */
export const planFinish = (situation: Situation, ways: Ways): readonly PlannedStep[] => [
  ...ejects(situation, ways),
  ...guard(situation, ways),
  ...artifacts(situation, ways),
];

function ejects(situation: Situation, ways: Ways): readonly PlannedStep[] {
  return wantedOf(situation).flatMap((standing) => {
    const { name, ref, machine, phase, observed } = standing;
    if (ref === undefined || machine === undefined || isStuck(ways, standing)) return [];
    const medium = phase === 'absent' ? futureMedium(situation, standing) : observed?.medium;
    if (medium === undefined || !isOurMedium(situation, standing, medium)) return [];
    const after = [allReady, idOf('talos.await-up', name)];
    const because = `it starts from its disk now, and ${medium} is still in its drive`;
    return [planned({ kind: 'machine.eject', machine: name, ref }, { after, because })];
  });
}

function futureMedium({ platform }: Situation, { machine }: Standing): string | undefined {
  const image = machine && imageRequestFor(platform, machine);
  return image?.kind === 'iso' ? imageName(image) : undefined;
}

/** What somebody else put in stays in. */
export function isOurMedium({ platform }: Situation, { machine }: Standing, medium: string): boolean {
  const image = machine === undefined ? undefined : imageName(imageRequestFor(platform, machine));
  return medium === image || /talos|ichor/i.test(medium);
}

/** What `guarded` remembers while nothing is guarded. */
const unguarded = 'none';

function guard(situation: Situation, ways: Ways): readonly PlannedStep[] {
  const { platform, world } = situation;
  const { provider, cluster } = platform;
  if (provider.kind !== 'proxmox') return [];
  const { antiAffinity, firewall } = provider;
  const told = world.memory.guarded ?? unguarded;
  if (!antiAffinity && !firewall)
    return told === unguarded ? [] : [guardStep([], unguarded, 'the file no longer asks for guards')];
  const wanted = wantedOf(situation);
  if (wanted.some((standing) => isStuck(ways, standing) || standing.ref === undefined)) return [];
  const refs = wanted.flatMap(({ ref }) => ref ?? []);
  const options = { antiAffinity, firewall, management: cluster.firewall.management };
  const digest = createHash('sha256')
    .update(JSON.stringify([refs, options]))
    .digest('hex');
  if (told === digest) return [];
  const because = antiAffinity
    ? `Proxmox itself is told to keep control planes apart${firewall ? ', and what to let through' : ''}`
    : 'Proxmox’s firewall is told what to let through';
  return [guardStep(refs, digest, because, [allReady, ...wanted.map(({ name }) => idOf('talos.await-up', name))])];
}

export const guardStep = (
  refs: Extract<PlannedStep['step'], { kind: 'machines.guard' }>['refs'],
  digest: string,
  because: string,
  after: readonly string[] = [],
): PlannedStep => planned({ kind: 'machines.guard', refs, digest }, { after, because });

export const isGuarded = ({ memory }: Situation['world']): boolean =>
  memory.guarded !== undefined && memory.guarded !== unguarded;

function artifacts(situation: Situation, ways: Ways): readonly PlannedStep[] {
  const { controlPlanes, leaving, world, etcd } = situation;
  const wrong = world.artifacts.filter(({ standing }) => standing !== 'same');
  const stuck = controlPlanes.some((standing) => isStuck(ways, standing));
  const written = stuck ? wrong.filter(({ standing }) => standing === 'absent' && etcd === 'running') : wrong;
  const files = written.map(({ path }) => path).toSorted();
  if (files.length === 0) return [];
  const after = [
    idOf('secrets.make'),
    idOf('kubernetes.await-api'),
    ...controlPlanes.flatMap(({ name }) => [idOf('talos.await-up', name), idOf('etcd.await-member', name)]),
    ...leaving.filter(({ role }) => role === 'control-plane').flatMap(endOf),
  ];
  const because = written.every(({ standing }) => standing === 'absent')
    ? 'kubectl and talosctl need them'
    : 'what they say is no longer so';
  return [planned({ kind: 'artifacts.write', files }, { after, because })];
}

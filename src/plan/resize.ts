import type { Disk, Shape } from '../model/machine.ts';
import type { ObservedDisk } from '../model/observed.ts';
import type { PlannedStep } from '../model/plan.ts';
import { formatGiB, formatMiB } from '../model/size.ts';
import { planned } from './graph.ts';
import type { Situation, Standing } from './situation.ts';

export type Resize = {
  readonly shape: Shape;
  readonly changes: readonly string[];
  /** Processors and memory come with a cold start. */
  readonly restart: boolean;
  /** It takes more of its host than before. */
  readonly grows: boolean;
};

/** What may be changed now: nothing becomes larger while not everything fits, or before others have made room for it. */
export function resizeNow(situation: Situation, standing: Standing): Resize | undefined {
  const wish = resizeOf(standing);
  return wish?.grows === true && (!situation.proof.fits || waitsForRoom(situation, standing)) ? undefined : wish;
}

export const waitsForRoom = ({ crowded }: Situation, standing: Standing): boolean =>
  standing.observed !== undefined && crowded.has(standing.observed.host) && resizeOf(standing)?.grows === true;

/** What the provider must change; undefined: nothing. Disks never become fewer or smaller. */
export function resizeOf({ machine, observed }: Standing): Resize | undefined {
  if (machine === undefined || observed === undefined) return undefined;
  const { cpu, memoryMiB, disks } = machine.shape;
  const power = [
    ...(cpu === observed.cpu ? [] : [`cpu ${observed.cpu} -> ${cpu}`]),
    ...(memoryMiB === observed.memoryMiB ? [] : [`memory ${formatMiB(observed.memoryMiB)} -> ${formatMiB(memoryMiB)}`]),
  ];
  const told = disks.map((disk) => ({ disk, there: diskThere(disk, observed.disks) }));
  const space = told.flatMap(({ disk, there }) => {
    if (there === undefined) return [`disk ${disk.name} added, ${formatGiB(disk.sizeGiB)}`];
    return disk.sizeGiB > there.sizeGiB
      ? [`disk ${disk.name} ${formatGiB(there.sizeGiB)} -> ${formatGiB(disk.sizeGiB)}`]
      : [];
  });
  const changes = [...power, ...space];
  if (changes.length === 0) return undefined;
  // A disk that would shrink stays as it is: a person decides about that.
  const kept = told.map(({ disk, there }) =>
    there !== undefined && there.sizeGiB > disk.sizeGiB ? { ...disk, sizeGiB: there.sizeGiB as Disk['sizeGiB'] } : disk,
  );
  const grows = cpu > observed.cpu || memoryMiB > observed.memoryMiB || space.length > 0;
  return { shape: { ...machine.shape, disks: kept }, changes, restart: power.length > 0, grows };
}

/** QEMU keeps 36 signs of a name. */
export const diskThere = (disk: Disk, there: readonly ObservedDisk[]): ObservedDisk | undefined =>
  there.find(({ name }) => name === disk.name.slice(0, 36));

export function resizeStep(
  { name, ref }: Standing,
  { shape, changes, restart }: Resize,
  after: readonly string[],
): readonly PlannedStep[] {
  if (ref === undefined) return [];
  const because = `the file asks for another size: ${changes.join(', ')}`;
  return [
    planned(
      { kind: 'machine.resize', machine: name, ref, shape, changes },
      { after, because, disruption: restart ? 'restart' : 'none' },
    ),
  ];
}

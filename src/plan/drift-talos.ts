import type { Drift } from '../model/plan.ts';
import { schematicFor } from '../talos/boot-image.ts';
import { groupOf } from '../talos/config/request.ts';
import { versionGap } from './changes.ts';
import { fateOf } from './for-life.ts';
import type { Situation, Standing } from './situation.ts';

/** What Talos runs with, against the file. */
export function talosDrift({ platform }: Situation, standing: Standing): readonly Drift[] {
  const { name, machine, talos, seen } = standing;
  if (talos === undefined || machine === undefined) return [];
  const wanted = platform.cluster.talos.version;
  const schematic = schematicFor(platform, groupOf(platform, machine));
  const gap = versionGap(talos.version, wanted);
  const version: Omit<Drift, 'kind' | 'because'> = { machine: name, what: 'Talos', wanted, found: talos.version };
  return [
    ...(gap.kind === 'up' ? [{ ...version, kind: 'correct', because: 'the file asks for a newer one' } as const] : []),
    ...(gap.kind === 'back'
      ? [
          {
            ...version,
            kind: 'danger',
            because: 'somebody brought it further, and an older Talos may not read what the newer one wrote',
            remedy: `Set cluster.talos.version to ${talos.version} in the file; or go back by hand:\n    ichor talos upgrade -n ${seen?.address ?? 'ADDRESS'} --to ${wanted}`,
          } as const,
        ]
      : []),
    ...(talos.schematic !== undefined && talos.schematic !== schematic
      ? [
          {
            machine: name,
            kind: gap.kind === 'back' || gap.kind === 'too-far' ? 'keep' : 'correct',
            what: 'schematic',
            wanted: schematic,
            found: talos.schematic,
            because: 'extensions or kernel arguments are other than in the file',
          } as const,
        ]
      : []),
    ...talos.changes.map((change): Drift => ({
      machine: name,
      what: change.path,
      wanted: change.after,
      found: change.before,
      ...fateOf(standing, change),
    })),
  ];
}

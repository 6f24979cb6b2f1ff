import type { Fixed } from '../model/machine.ts';
import type { ObservedMachine } from '../model/observed.ts';
import type { Drift } from '../model/plan.ts';
import { formatGiB, formatMiB } from '../model/size.ts';
import { isOurMedium } from './finish.ts';
import { madeAnew } from './made-anew.ts';
import { diskThere } from './resize.ts';
import type { Situation, Standing } from './situation.ts';

/** What a machine is made of, and where it is. */
export function hardwareDrift(situation: Situation, standing: Standing): readonly Drift[] {
  const { observed } = standing;
  if (observed === undefined) return [];
  return [
    ...size(standing, observed),
    ...disks(situation, standing, observed),
    ...place(standing, observed),
    ...medium(situation, standing),
  ];
}

function size({ name, machine, phase }: Standing, { cpu, memoryMiB }: ObservedMachine): readonly Drift[] {
  if (machine === undefined) return [];
  const correct = (what: string, wanted: string, found: string, because: string): readonly Drift[] =>
    wanted === found ? [] : [{ machine: name, kind: 'correct', what, wanted, found, because }];
  return [
    ...correct('cpu', String(machine.shape.cpu), String(cpu), 'the file asks for another number'),
    ...correct('memory', formatMiB(machine.shape.memoryMiB), formatMiB(memoryMiB), 'the file asks for another size'),
    ...correct('power', 'on', phase === 'off' ? 'off' : 'on', 'machines of the file run'),
  ];
}

function disks(situation: Situation, standing: Standing, observed: ObservedMachine): readonly Drift[] {
  const { name, machine } = standing;
  if (machine === undefined) return [];
  const wanted = machine.shape.disks;
  return [
    ...wanted.flatMap((disk): readonly Drift[] => {
      const there = diskThere(disk, observed.disks);
      const base = { machine: name, what: `disk ${disk.name}`, wanted: formatGiB(disk.sizeGiB) };
      if (there === undefined)
        return [{ ...base, kind: 'correct', found: undefined, because: 'the file asks for one more' }];
      if (there.sizeGiB < disk.sizeGiB)
        return [
          { ...base, kind: 'correct', found: formatGiB(there.sizeGiB), because: 'the file asks for a larger one' },
        ];
      if (there.sizeGiB > disk.sizeGiB)
        return [
          {
            ...base,
            kind: 'danger',
            found: formatGiB(there.sizeGiB),
            because: 'a smaller disk loses what is on it',
            remedy: asItIs(situation, standing),
          },
        ];
      if (there.datastore === disk.datastore) return [];
      const because = 'somebody moved it, and it works there';
      return [{ ...base, kind: 'keep', wanted: disk.datastore, found: there.datastore, because }];
    }),
    ...observed.disks
      .filter((there) => !wanted.some((disk) => diskThere(disk, [there]) !== undefined))
      .map((there): Drift => {
        const base = { machine: name, what: `disk ${there.name ?? 'without a name'}`, wanted: undefined };
        const found = formatGiB(there.sizeGiB);
        return there.name === undefined
          ? { ...base, kind: 'keep', found, because: 'somebody else attached it' }
          : {
              ...base,
              kind: 'danger',
              found,
              because: 'without the disk, what is on it is lost',
              remedy: asItIs(situation, standing),
            };
      }),
  ];
}

function asItIs(situation: Situation, standing: Standing): string {
  const anew = madeAnew(situation, standing);
  return anew === undefined
    ? 'Ask for it in the file as it is:\n    ichor plan'
    : `Ask for it in the file as it is; or, if its data may go, let ${standing.name} be made anew:\n    ${anew}`;
}

function place({ name, machine }: Standing, { host, id, macs }: ObservedMachine): readonly Drift[] {
  const fixed: Fixed = machine?.fixed ?? {};
  const keep = (
    what: string,
    wanted: string | undefined,
    found: string | undefined,
    remedy: string,
  ): readonly Drift[] =>
    wanted === undefined || wanted === found
      ? []
      : [{ machine: name, kind: 'keep', what, wanted, found, because: 'it stays what it is while it lives', remedy }];
  const vmid = fixed.vmid === undefined ? undefined : String(fixed.vmid);
  return [
    ...keep('host', fixed.host, host, `Move it, or pin it where it is:\n    qm migrate ${id} ${fixed.host} --online`),
    ...keep('VMID', vmid, id, `Write its VMID into the file: cluster.nodes.${name}.vmid: ${id}`),
    ...keep(
      'MAC',
      fixed.mac?.toUpperCase(),
      macs[0]?.toUpperCase(),
      `Write its MAC into the file: cluster.nodes.${name}.mac: ${macs[0]}`,
    ),
  ];
}

function medium(situation: Situation, standing: Standing): readonly Drift[] {
  const { name, observed } = standing;
  if (observed?.medium === undefined) return [];
  const base = { machine: name, what: 'medium', wanted: undefined, found: observed.medium };
  return isOurMedium(situation, standing, observed.medium)
    ? [{ ...base, kind: 'correct', because: 'it was installed from it, and does not need it any more' }]
    : [{ ...base, kind: 'keep', because: 'somebody put it in' }];
}

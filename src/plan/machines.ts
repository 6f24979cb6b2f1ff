import { groupBy } from '../model/group.ts';
import { naturally } from '../model/host.ts';
import { parseCidr } from '../model/ip.ts';
import type { Machine } from '../model/machine.ts';
import type { StaticAddress } from '../model/observed.ts';
import type { PlannedStep } from '../model/plan.ts';
import type { MachineOrder } from '../model/step.ts';
import type { Platform } from '../spec/platform.ts';
import { nodesNetwork } from '../talos/config/request.ts';
import { inTheWay, roomOn } from './crowd.ts';
import { idOf, planned } from './graph.ts';
import type { Held } from './held.ts';
import { imageName, imageRequestFor, schematicOf } from '../talos/image-requests.ts';
import { resizeNow, resizeStep } from './resize.ts';
import { holderOf, wantedOf, type Situation, type Standing } from './situation.ts';
import { beforeMakingWorkers, beforeWorkers } from './turns.ts';
import { isKnownToCluster } from './ways.ts';

/** From nothing to machines that have power and an address. */
export function planMachines(situation: Situation, mayCreate: boolean, held: Held): readonly PlannedStep[] {
  const wanted = wantedOf(situation);
  const reasonFor = reasons(wanted);
  const leaving = inTheWay(situation);
  const absent = mayCreate ? wanted.filter(({ name, phase }) => phase === 'absent' && !held.has(name)) : [];
  return [
    ...images(situation, absent),
    ...absent.map((standing) => create(situation, standing, reasonFor, leaving)),
    ...wanted.flatMap((standing) => {
      if (standing.phase === 'off') return powerOn(situation, standing);
      return absent.includes(standing) ? start(standing, idOf('machine.create', standing.name), 'it is new') : [];
    }),
    ...wanted.flatMap((standing) =>
      reach(standing, absent.includes(standing), standing.role === 'worker' ? beforeWorkers(situation) : []),
    ),
  ];
}

/** Each image once, for the hosts that are going to need it and lack it. */
function images({ platform, world }: Situation, absent: readonly Standing[]): readonly PlannedStep[] {
  const needed = new Map<string, { readonly machine: Machine; readonly hosts: Set<string> }>();
  for (const { machine, ref } of absent) {
    if (machine === undefined || ref === undefined) continue;
    const name = imageName(imageRequestFor(platform, machine));
    const entry = needed.get(name) ?? { machine, hosts: new Set() };
    entry.hosts.add(ref.host);
    needed.set(name, entry);
  }
  return [...needed].flatMap(([name, { machine, hosts }]) => {
    const there = world.provider?.images.get(name);
    const has = new Set(there?.kind === 'known' ? there.value : []);
    const lacking = [...hosts].filter((host) => !has.has(host)).toSorted(naturally);
    if (lacking.length === 0) return [];
    const [carry, lack] = lacking.length === 1 ? ['is', 'lacks'] : ['are', 'lack'];
    const because = `${countOf(lacking.length, 'host')} ${carry} to carry machines and ${lack} it: ${lacking.join(', ')}`;
    const image = imageRequestFor(platform, machine);
    return [
      planned({ kind: 'image.ensure', image, hosts: lacking, schematic: schematicOf(platform, machine) }, { because }),
    ];
  });
}

/** `the file asks for 3 workers of pool general, 2 are there`. */
function reasons(wanted: readonly Standing[]): (machine: Machine) => string {
  const groups = groupBy(wanted, ({ machine }) => machine?.pool ?? null);
  return ({ pool }) => {
    const group = groups.get(pool) ?? [];
    const there = group.filter(({ phase }) => phase !== 'absent' && phase !== 'barred').length;
    const what =
      pool === null ? countOf(group.length, 'control plane') : `${countOf(group.length, 'worker')} of pool ${pool}`;
    return `the file asks for ${what}, ${there === 0 ? 'none' : there} ${there === 1 ? 'is' : 'are'} there`;
  };
}

function create(
  situation: Situation,
  { name, machine, ref }: Standing,
  reasonFor: (machine: Machine) => string,
  leaving: ReadonlySet<Standing>,
): PlannedStep {
  const { platform, proof, world } = situation;
  if (machine === undefined || ref === undefined) throw new Error(`${name} has no place.`);
  const placed = proof.machines.find((each) => each.machine.name === name);
  const image = imageName(imageRequestFor(platform, machine));
  const holder = holderOf(world, machine.fixed.address, name);
  const address = holder === undefined ? [] : [idOf('machine.delete', holder.name)];
  const turn = machine.role === 'worker' ? beforeMakingWorkers(situation) : [];
  const order: MachineOrder = {
    mark: ref.mark,
    role: machine.role,
    pool: machine.pool,
    hostname: machine.hostname,
    host: ref.host,
    id: placed?.identity.vmid === null || placed === undefined ? undefined : String(placed.identity.vmid),
    shape: machine.shape,
    mac: placed?.identity.mac ?? '',
    image,
    staticAddress: staticAddressOf(platform, machine),
  };
  return planned(
    { kind: 'machine.create', machine: name, order },
    {
      after: [idOf('image.ensure', image), ...roomOn(ref.host, leaving), ...address, ...turn],
      because: `${reasonFor(machine)}; on ${ref.host}: ${placed?.because ?? 'it has room'}`,
    },
  );
}

function staticAddressOf(platform: Platform, { fixed }: Machine): StaticAddress | undefined {
  const { addresses, gateway, nameservers } = platform.cluster.network;
  const prefix = parseCidr(nodesNetwork(platform) ?? '')?.prefix;
  if (addresses !== 'static' || fixed.address === undefined || prefix === undefined) return undefined;
  return { address: fixed.address, prefix, gateway, nameservers };
}

/** What it lacks is given to it while it is off: then nobody has to restart it for that. */
function powerOn(situation: Situation, standing: Standing): readonly PlannedStep[] {
  const resize = resizeNow(situation, standing);
  if (resize === undefined) return start(standing, '', 'it has no power, and the file has it');
  const step = resizeStep(standing, resize, []);
  return [...step, ...start(standing, idOf('machine.resize', standing.name), 'it has no power, and the file has it')];
}

function start({ name, ref }: Standing, after: string, because: string): readonly PlannedStep[] {
  return ref === undefined ? [] : [planned({ kind: 'machine.start', machine: name, ref }, { after: [after], because })];
}

/** Whoever is new, or has power and says nothing, is waited for until somebody answers. */
function reach(standing: Standing, isMade: boolean, turn: readonly string[]): readonly PlannedStep[] {
  const { name, ref, phase } = standing;
  const fresh = isMade || phase === 'off' || phase === 'silent';
  if (!fresh || isKnownToCluster(standing)) return [];
  const isKnown = standing.machine?.fixed.address !== undefined;
  const started = isKnown ? 'it answers when it has started' : 'its address shows when it has started';
  const because = phase === 'silent' ? `nothing answers there yet: ${standing.because}` : started;
  return [
    planned(
      { kind: 'talos.reach', machine: name, ref },
      {
        after: [idOf('machine.start', name), ...turn],
        because,
        ...(isKnown ? {} : { reveals: `the address of ${name}` }),
      },
    ),
  ];
}

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

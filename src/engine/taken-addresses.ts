import type { PlannedStep } from '../model/plan.ts';
import { Problem } from '../model/problem.ts';
import type { Platform } from '../spec/platform.ts';
import type { EngineTools, Meant, Preview } from './run.ts';
import { firstOf } from '../model/signals.ts';

/** As long as a machine of the same network may take to answer, and no longer: who is not there never does. */
const answerMs = 2000;

type Tools = Pick<EngineTools, 'pause' | 'talos' | 'shownCertificate'>;
type Claim = { readonly machine: string; readonly address: string };

/** Addresses of machines that are to be made, and that somebody has already: two machines with one address harm both. */
export async function takenAddresses(
  { platform }: Meant,
  { plan, world }: Preview,
  tools: Tools,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const leaving = new Set(plan.steps.flatMap(({ step }) => (step.kind === 'machine.delete' ? [step.machine] : [])));
  const freed = new Set(world.machines.flatMap(({ name, address }) => (leaving.has(name) ? (address ?? []) : [])));
  const creates = plan.steps.filter(({ step }) => step.kind === 'machine.create');
  const claims = creates.flatMap(claimOf).filter(({ address }) => !freed.has(address));
  const found = await Promise.all([
    ...claims.map(async (claim) => {
      const holder = holderOf(claim, platform.name, leaving, world);
      if (holder !== undefined) return taken(claim.address, claim.machine, holder);
      const answers = await answering((ending) => talosAt(claim.address, tools, ending), tools, signal);
      return answers ? taken(claim.address, claim.machine, 'a machine with Talos that answers there') : undefined;
    }),
    begins(platform, plan, world) ? vipTaken(platform, tools, signal) : undefined,
  ]);
  const said = found.filter((each) => each !== undefined);
  return said.length === 0 ? [] : [takenProblem(said)];
}

function claimOf({ step }: PlannedStep): readonly Claim[] {
  if (step.kind !== 'machine.create' || step.order.staticAddress === undefined) return [];
  return [{ machine: step.machine, address: step.order.staticAddress.address }];
}

/** A machine that was made with this address, running or not. */
function holderOf(
  { machine, address }: Claim,
  platform: string,
  leaving: ReadonlySet<string>,
  { provider }: Preview['world'],
): string | undefined {
  for (const { name: host, residents } of provider?.inventory.hosts ?? [])
    for (const { name = 'a machine', platform: owner, vmid, address: has } of residents) {
      const ours = owner === platform && (name === machine || leaving.has(name));
      if (has !== address || ours) continue;
      return `${name}${vmid === undefined ? '' : ` (VM ${vmid})`} on ${host}${owner ? `, of platform ${owner}` : ''}`;
    }
  return undefined;
}

/** Before there is a cluster of ours nobody of ours can have its address. Once somebody was asked to begin it, it may be there soon. */
function begins({ machines }: Platform, { steps }: Preview['plan'], { memory }: Preview['world']): boolean {
  const made = new Set(steps.flatMap(({ step }) => (step.kind === 'machine.create' ? [step.machine] : [])));
  return (
    (memory.bootstrap === undefined && steps.some(({ step }) => step.kind === 'etcd.bootstrap')) ||
    machines.every(({ name, role }) => role === 'worker' || made.has(name))
  );
}

async function vipTaken(
  { cluster }: Platform,
  { shownCertificate, pause }: Tools,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { vip } = cluster.endpoint;
  if (vip === undefined || shownCertificate === undefined) return undefined;
  const shows = async (ending: AbortSignal): Promise<boolean> => {
    await shownCertificate({ host: vip, port: 6443 }, ending);
    return true;
  };
  return (await answering(shows, { pause }, signal))
    ? taken(vip, 'the Kubernetes API', 'an API server that answers there')
    : undefined;
}

const talosAt = async (address: string, { talos }: Tools, signal: AbortSignal): Promise<boolean> =>
  (await talos.probe({ host: address }, signal)).kind !== 'absent';

/** What cannot be reached does not answer. */
async function answering(
  ask: (signal: AbortSignal) => Promise<boolean>,
  { pause }: Pick<Tools, 'pause'>,
  signal: AbortSignal,
): Promise<boolean> {
  const enough = new AbortController();
  using ending = firstOf(signal, enough.signal);
  const late = pause(answerMs, ending).then(() => false);
  try {
    return await Promise.race([ask(ending), late]);
  } catch {
    signal.throwIfAborted();
    return false;
  } finally {
    enough.abort();
    await late.catch(() => false);
  }
}

const taken = (address: string, wanted: string, holder: string): string =>
  `${address} is to be the address of ${wanted}, and ${holder} has it already.`;

const most = 8;

function takenProblem(found: readonly string[]): Problem {
  const more = found.length > most ? [`and ${found.length - most} more`] : [];
  return new Problem('address-taken', [...found.slice(0, most), ...more].join('\n'), {
    remedy:
      'Give free addresses in the file, or take away what has them; two with one address disturb each other. If that is this very cluster under the name that its platform had before, put the name back: a platform of another name is another cluster. Then look again:\n    ichor plan',
  });
}

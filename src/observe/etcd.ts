import type { EtcdMember, ServiceState, TalosAccess } from '../clients/talos.ts';
import { known, unknown, type Seen } from '../model/seen.ts';
import type { Memory, WorldMachine, WorldMember } from '../model/world.ts';
import type { TalosEyes } from './eyes.ts';
import { becauseOf } from './failure.ts';
import { hostOfUrl, machineFinder, type Known } from './whose.ts';

type Look =
  | { readonly kind: 'members'; readonly members: readonly EtcdMember[] }
  /** It waits for a bootstrap, or for one that it could join. */
  | { readonly kind: 'waits' }
  | { readonly kind: 'silent'; readonly because: string };

/** Who votes, by the word of the first control plane that knows. */
export async function lookAtEtcd(
  machines: readonly WorldMachine[],
  given: { readonly access: TalosAccess | undefined; readonly memory: Memory; readonly whose: Known },
  eyes: Pick<TalosEyes, 'open'>,
  signal: AbortSignal,
): Promise<Seen<readonly WorldMember[]>> {
  const { access, memory, whose } = given;
  const planes = machines.filter(({ role }) => role === 'control-plane');
  const ours = planes.filter(isOurs);
  if (access === undefined || ours.length === 0) return unseen(planes, memory);
  const looks: Look[] = [];
  for (const { address } of ours) {
    if (address === undefined) continue;
    const look = await lookAt(address, access, memory, eyes, signal);
    if (look.kind === 'members') return known(membersOf(look.members, whose));
    looks.push(look);
  }
  const silent = looks.find((look) => look.kind === 'silent');
  if (silent !== undefined) return unknown(silent.because);
  // One that did not answer may have what the others wait for.
  return unseen(planes, memory);
}

const isOurs = ({ talos }: WorldMachine): boolean => talos.kind === 'known' && talos.value?.kind === 'ours';

/** No control plane has an etcd; where one cannot be asked that may have it, as far as anybody remembers, nobody knows. */
function unseen(planes: readonly WorldMachine[], { bootstrap }: Memory): Seen<readonly WorldMember[]> {
  const hidden = bootstrap === undefined ? [] : planes.flatMap(({ name, talos }) => hiddenWords(name, talos));
  return hidden[0] === undefined ? known([]) : unknown(hidden[0]);
}

function hiddenWords(name: string, talos: WorldMachine['talos']): readonly string[] {
  if (talos.kind === 'unknown') return [`${name} may have it, and cannot be asked: ${talos.because}`];
  return talos.value?.kind === 'off' ? [`${name} may have it, and has no power`] : [];
}

async function lookAt(
  host: string,
  access: TalosAccess,
  memory: Memory,
  eyes: Pick<TalosEyes, 'open'>,
  signal: AbortSignal,
): Promise<Look> {
  await using node = eyes.open({ host, access });
  try {
    // Before a bootstrap etcd answers nothing at all: whether it runs is asked first.
    const etcd = (await node.services(signal)).find(({ id }) => id === 'etcd');
    if (waits(etcd, memory)) return { kind: 'waits' };
    const members = await node.etcdMembers(signal, { local: true });
    return members.length === 0 ? { kind: 'waits' } : { kind: 'members', members };
  } catch (error) {
    return { kind: 'silent', because: `etcd: ${becauseOf(error, signal)}` };
  }
}

/** Before it has been asked to do anything it only prepares. Without a choice of ours nobody can have asked it. */
function waits(etcd: ServiceState | undefined, { bootstrap }: Memory): boolean {
  const last = etcd?.events.at(-1);
  if (etcd?.state === 'Preparing' && last?.message === 'Running pre state') return true;
  return bootstrap === undefined && (etcd === undefined || etcd.state === 'Starting' || etcd.state === 'Waiting');
}

export function membersOf(members: readonly EtcdMember[], of: Known): readonly WorldMember[] {
  const whose = machineFinder(of);
  return members.map(({ id, hostname, learner, peerUrls, clientUrls }) => ({
    id,
    hostname,
    learner,
    machine: whose(hostname, [...peerUrls, ...clientUrls].flatMap(hostOfUrl)),
  }));
}

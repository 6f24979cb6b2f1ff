import type { MachineRef } from '../model/observed.ts';
import { Problem } from '../model/problem.ts';
import type { Handlers, StepContext, Tools } from './tools.ts';
import { waitFor, type Look, type Patience } from './waiting.ts';
import { askAddress, machineSeen, machineWords, patienceOf } from './where.ts';

/** How often a provider is asked again for an address that it has told already: a lease may have changed. */
const askAgainMs = 5000;

export const reachHandlers: Pick<Handlers, 'talos.reach'> = {
  'talos.reach': async ({ machine, ref }, tools, context, signal) => {
    const at = tools.found.refs.get(machine) ?? ref;
    const words = machineWords(machine, at);
    const look = looker(machine, at, tools, signal);
    const patience = { ...patienceOf(tools, context), ...pace(machine, tools) };
    try {
      await waitFor(`${words} to answer`, look, patience, context.tell, signal);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'took-too-long') throw error;
      throw await whyNot({ machine, at, error, context }, tools, signal);
    }
  },
};

/** A cluster begins with its control planes; workers have time until there is an API to join, and the more the less often. */
function pace(machine: string, { material }: Tools): Pick<Patience, 'closely' | 'fromMs'> {
  if (material.controlPlanes.includes(machine)) return { closely: true };
  return { fromMs: Math.min(1000, Math.max(100, material.machines.length * 10)) };
}

/** Finds the address, then asks whatever is there; any mode of Talos will do. */
function looker(
  machine: string,
  ref: MachineRef | undefined,
  tools: Tools,
  signal: AbortSignal,
): () => Promise<Look<string>> {
  const fixed = tools.material.fixedAddress(machine);
  let told: string | undefined;
  let asked = 0;
  return async () => {
    const now = tools.clock.now().getTime();
    if (fixed === undefined && ref !== undefined && (told === undefined || now - asked > askAgainMs)) {
      told = (await askAddress(machine, ref, tools, signal)) ?? told;
      asked = now;
    }
    const address = fixed ?? told ?? tools.found.addresses.get(machine);
    if (address === undefined) return { state: 'not-yet', because: 'it has no address yet' };
    const standing = await tools.talos.probe({ host: address }, signal);
    if (standing.kind === 'absent') return { state: 'not-yet', because: `${address}: ${standing.because}` };
    tools.found.addresses.set(machine, address);
    return { state: 'there', value: address };
  };
}

type Failure = {
  readonly machine: string;
  readonly at: MachineRef | undefined;
  readonly error: Problem;
  readonly context: StepContext;
};

async function whyNot({ machine, at, error, context }: Failure, tools: Tools, signal: AbortSignal): Promise<Problem> {
  const words = machineWords(machine, at);
  const after = `after ${Math.round(context.atMostMs / 1000)} s`;
  const fixed = tools.material.fixedAddress(machine);
  const seen = at && (await machineSeen(machine, tools, signal).catch(() => undefined));
  const where = fixed ?? tools.found.addresses.get(machine);
  if (seen?.power.kind === 'known' && seen.power.value === 'off')
    return new Problem('machine-off', `${words} is off, ${after}: somebody switched it off, or it could not start.`, {
      remedy: `Look at its tasks on ${seen.host}, and run this again:\n    ssh root@${seen.host} qm start ${seen.id}`,
      cause: error,
    });
  const other =
    at && fixed !== undefined ? await askAddress(machine, at, tools, signal).catch(() => undefined) : undefined;
  if (other !== undefined && other !== fixed)
    return new Problem('machine-elsewhere', `${words} is at ${other}, and the file says ${fixed}.`, {
      remedy: `Reserve ${fixed} for its card at your DHCP server, or correct the file:\n    ichor machines --output dnsmasq`,
      cause: error,
    });
  if (where === undefined) return noAddress(machine, at, after, tools, error);
  return new Problem(
    'machine-silent',
    `Talos does not answer on ${words} at ${where}, ${after}: ${lastWords(error)}.`,
    {
      remedy: `Look at its console${at === undefined ? '' : ` (VM ${at.id} on ${at.host})`}: it should say that it waits in maintenance mode. Then whether this machine reaches port 50000 there, through every firewall on the way:\n    ichor talos version --insecure -n ${where}`,
      cause: error,
    },
  );
}

const lastWords = ({ message }: Problem): string => message.replace(/^.*in vain: /s, '').replace(/\.$/, '');

const noAddress = (
  machine: string,
  ref: MachineRef | undefined,
  after: string,
  { material }: Tools,
  cause: Problem,
): Problem =>
  new Problem('machine-no-address', `${machineWords(machine, ref)} has no address ${after}.`, {
    remedy: [
      'Look, in this order:',
      `  - its console${ref === undefined ? '' : ` (${ref.host}, VM ${ref.id})`}: does it show Talos, and an address?`,
      `  - DHCP on its bridge and VLAN: is there a server, has it an address left for ${material.addressRule(machine).mac}? Without one, set cluster.network.addresses: static.`,
      '  - the image: the address is told by the guest agent, so the extension qemu-guest-agent must be in cluster.talos.extensions.',
      '  - firewalls between this machine and its network.',
      ref === undefined ? '    ichor machines' : `    ssh root@${ref.host} qm agent ${ref.id} network-get-interfaces`,
    ].join('\n'),
    cause,
  });

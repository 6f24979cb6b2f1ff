import type { Call } from '../../call.ts';
import type { GuestAgent } from '../../guest.ts';
import { died } from '../../refusal.ts';
import type { Vm } from '../../vm.ts';
import { vmOf } from '../lookup.ts';
import { agentOf } from '../power/agent-channel.ts';
import { usualAnswer } from './usual.ts';

/** The agent of the VM that a request names. Where nobody answers that takes its time, unless there is no port to ask at. */
export async function agentIn(call: Call): Promise<{ readonly vm: Vm; readonly agent: GuestAgent }> {
  const { clock, durations } = call.datacenter;
  const vm = vmOf(call);
  if (!vm.config.has('agent')) throw died('No QEMU guest agent configured');
  if (vm.run === undefined) throw died(`VM ${vm.vmid} is not running`);
  const agent = agentOf(vm);
  if (agent !== undefined) return { vm, agent };
  if (vm.run.agentChannel) await clock.sleep(durations.agentSilence, call.signal);
  throw died('QEMU guest agent is not running');
}

/** What the agent itself could not do; the API hands it on as if it were a result. */
export type AgentError = { readonly error: { readonly class: string; readonly desc: string } };

const isError = (value: unknown): value is AgentError =>
  typeof value === 'object' && value !== null && 'error' in value;

/** Runs a command, and gives back whatever the agent says. */
export function told(
  call: Call,
  { vm, agent }: { readonly vm: Vm; readonly agent: GuestAgent },
  name: string,
  input: Readonly<Record<string, string>> = {},
): unknown {
  switch (name) {
    case 'ping':
      return {};
    case 'network-get-interfaces':
      return agent.networkInterfaces().map(interfaceRow);
    case 'get-host-name':
      return { 'host-name': agent.hostName() };
    case 'get-osinfo':
      return agent.osInfo();
    case 'get-time':
      return call.datacenter.clock.now().getTime() * 1_000_000;
    case 'shutdown':
      agent.shutdown();
      return null;
    default:
      return agent.command?.(name, input) ?? usualAnswer(vm, name, input);
  }
}

/** Some calls turn what the agent says into a refusal. */
export async function required(
  call: Call,
  name: string,
  input: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const result = told(call, await agentIn(call), name, input);
  if (isError(result)) throw died(`Agent error: ${result.error.desc}`);
  return typeof result === 'object' && result !== null ? (result as Record<string, unknown>) : { result };
}

function interfaceRow({ name, mac, addresses }: ReturnType<GuestAgent['networkInterfaces']>[number]): unknown {
  const counters = ['bytes', 'dropped', 'errs', 'packets'].flatMap((kind) => [`rx-${kind}`, `tx-${kind}`]);
  return {
    name,
    'hardware-address': mac.toLowerCase(),
    ...(addresses.length === 0
      ? {}
      : {
          'ip-addresses': addresses.map(({ address, prefix, family }) => ({
            'ip-address': address,
            'ip-address-type': family,
            prefix,
          })),
        }),
    statistics: Object.fromEntries(counters.map((counter) => [counter, 0])),
  };
}

import type { Datacenter } from '../../datacenter.ts';
import type { Board, Guest } from '../../guest.ts';
import type { Running, Vm } from '../../vm.ts';
import { agentEnabled } from '../config/agent-option.ts';
import { hardwareOf } from './hardware.ts';

/** QEMU comes up, and with it whatever the VM boots. */
export function powerOn(datacenter: Datacenter, vm: Vm, board: (run: Running) => Board): Running {
  const host = datacenter.hosts.get(vm.host);
  if (host === undefined) throw new Error(`There is no host ${vm.host}.`);
  let resolveGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    resolveGone = resolve;
  });
  let guest: Guest | undefined;
  let ending: Promise<void> | undefined;
  let ended: 'quit' | 'otherwise' | undefined;
  const run: Running = {
    since: datacenter.clock.now(),
    pid: host.nextPid++,
    get guest() {
      return guest;
    },
    paused: false,
    shutDown: false,
    started: new Map(vm.config),
    agentChannel: agentEnabled(vm.config),
    gone,
    ended: () => ended,
    end: (how) => {
      ended ??= how ?? 'otherwise';
      ending ??= (async () => {
        await guest?.cut();
        if (vm.run === run) vm.run = undefined;
        resolveGone();
      })();
      return ending;
    },
  };
  vm.run = run;
  guest = datacenter.guests(hardwareOf(datacenter, vm), board(run));
  return run;
}

import { answer, principalName } from '../call.ts';
import type { Answer, Call, Routes } from '../call.ts';
import { died } from '../refusal.ts';
import { requestWorker } from '../tasks/request-worker.ts';
import { holding } from './locking.ts';
import { vmidOf, vmOf } from './lookup.ts';
import { isRoot } from './rights/vm.ts';
import { processStatus } from './status.ts';

/** Consoles: tickets are handed out, and nobody listens behind them. */
export const consoleRoutes: Routes = {
  'POST /nodes/{node}/qemu/{vmid}/vncproxy': (call) => openConsole(call, { cert: call.host.certificate.crt }),
  'POST /nodes/{node}/qemu/{vmid}/termproxy': (call) => {
    const serial = call.text('serial') ?? [...vmOf(call).config.keys()].find((key) => /^serial\d$/.test(key));
    if (serial === undefined) throw died('unable to find a serial interface');
    return openConsole(call, {});
  },
  'PUT /nodes/{node}/qemu/{vmid}/sendkey': async (call) => {
    const vm = vmOf(call);
    await holding(requestWorker(call), vm.lock, call.datacenter.durations.lockWait, async () => {
      if (vm.run === undefined)
        throw died(`VM ${vm.vmid} qmp command 'human-monitor-command' failed - VM ${vm.vmid} not running`);
    });
    return answer(null);
  },
  'POST /nodes/{node}/qemu/{vmid}/monitor': monitor,
};

const firstPort = 5900;

function openConsole(call: Call, more: Record<string, unknown>): Answer {
  const { datacenter, host, who } = call;
  const vm = vmOf(call);
  const upid = datacenter.startTask({
    host,
    who,
    type: 'vncproxy',
    id: String(vm.vmid),
    work: async (worker) => {
      // Nobody calls within ten seconds.
      await worker.sleep(10_000);
      throw died('connection timed out');
    },
  });
  const ticket = `PVEVNC:${Math.floor(datacenter.clock.now().getTime() / 1000)
    .toString(16)
    .toUpperCase()}::lab`;
  return answer({ ...more, port: firstPort, ticket, upid, user: principalName(who) });
}

/** The monitor of QEMU, of which the lab knows one command. */
function monitor(call: Call): Answer {
  const command = (call.text('command') ?? '').trim();
  const [name = ''] = command.split(/\s+/);
  if (name === '') throw died(`unexpected command '${call.text('command') ?? ''}'`);
  if (name !== 'info' && name !== 'help' && !isRoot(call)) throw died(`root-only command '${name}'`);
  const vm = vmOf(call);
  const vmid = vmidOf(call);
  if (vm.run === undefined)
    return answer(`ERROR: VM ${vmid} qmp command 'human-monitor-command' failed - VM ${vmid} not running\n`);
  return answer(command === 'info status' ? `VM status: ${processStatus(vm)}\r\n` : `unknown command: '${name}'\r\n`);
}

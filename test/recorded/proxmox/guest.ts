import type { Guest, GuestAgent, GuestFactory, VirtualHardware } from '../../../src/lab/proxmox/guest.ts';

const bootMs = 60_000;

/**
 * The Linux of the recordings: it boots from agent.iso, answers the agent and heeds the power button. The first one of them
 * hung when its agent was asked to shut it down, and was deaf from then on.
 */
export function linuxGuests(now: () => Date): GuestFactory {
  let boots = 0;
  return (hardware, board) => {
    const medium = hardware.drives.find(({ bootable, volume }) => bootable && volume?.written.fileName !== undefined);
    if (medium?.volume?.name !== 'iso/agent.iso') return undefined;
    const hangs = boots++ === 0;
    let deaf = false;
    let upAt = now().getTime() + bootMs;
    const off = (): void => {
      if (hangs) deaf = true;
      else board.off();
    };
    const guest: Guest = {
      agent: () => (deaf || now().getTime() < upAt || !hardware.agentChannel ? undefined : agentOf(hardware, off)),
      pressPower: () => {
        if (!deaf) board.off();
      },
      reset: () => {
        upAt = now().getTime() + bootMs;
        board.rebooted();
      },
      drives: () => undefined,
      cut: async () => undefined,
    };
    return guest;
  };
}

const agentOf = ({ nics }: VirtualHardware, off: () => void): GuestAgent => ({
  networkInterfaces: () => [
    {
      name: 'lo',
      mac: '00:00:00:00:00:00',
      addresses: [
        { address: '127.0.0.1', prefix: 8, family: 'ipv4' },
        { address: '::1', prefix: 128, family: 'ipv6' },
      ],
    },
    ...nics.map(({ mac }, index) => ({
      name: `eth${index}`,
      mac: mac.toLowerCase(),
      addresses: [
        { address: '10.13.13.50', prefix: 24, family: 'ipv4' as const },
        { address: 'fe80::1', prefix: 64, family: 'ipv6' as const },
      ],
    })),
  ],
  hostName: () => 'agent',
  osInfo: () => ({ 'kernel-release': '6.12', 'kernel-version': '#1 SMP', machine: 'x86_64' }),
  shutdown: off,
  command: (name, input) => {
    if (name === 'exec') return { pid: 171 };
    if (name === 'exec-status' && input['pid'] === '171')
      return { exited: true, exitcode: 0, 'out-data': Buffer.from('bin\n').toString('base64'), 'out-truncated': false };
    return name === 'file-read' && input['file'] === '/etc/passwd' ? { content: 'root:x:0:0::/:/bin/sh\n' } : undefined;
  },
});

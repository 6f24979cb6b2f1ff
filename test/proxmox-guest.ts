import type {
  Board,
  Guest,
  GuestAgent,
  GuestFactory,
  VirtualDrive,
  VirtualHardware,
} from '../src/lab/proxmox/guest.ts';

/** What a test sees of a guest, and can make it do. */
export type PuppetGuest = {
  readonly hardware: VirtualHardware;
  readonly board: Board;
  /** Everything that was done to it, in order. */
  readonly heard: string[];
  /** Its agent answers. */
  answers: boolean;
  /** It ends when it is asked to. */
  obeys: boolean;
  drives: readonly VirtualDrive[];
};

/** Guests that do what a test wants; one for each start of a VM. */
export function puppets(as: Partial<Pick<PuppetGuest, 'answers' | 'obeys'>> = {}): {
  readonly guests: GuestFactory;
  readonly started: PuppetGuest[];
} {
  const started: PuppetGuest[] = [];
  const guests: GuestFactory = (hardware, board) => {
    const puppet: PuppetGuest = {
      hardware,
      board,
      heard: [],
      answers: as.answers ?? true,
      obeys: as.obeys ?? true,
      drives: hardware.drives,
    };
    started.push(puppet);
    return guestOf(puppet);
  };
  return { guests, started };
}

function guestOf(puppet: PuppetGuest): Guest {
  const end = (how: string): void => {
    puppet.heard.push(how);
    if (puppet.obeys) puppet.board.off();
  };
  return {
    agent: () => (puppet.answers ? agentOf(puppet, end) : undefined),
    pressPower: () => end('power button'),
    reset: () => void puppet.heard.push('reset'),
    drives: (now) => {
      puppet.drives = now;
    },
    cut: async () => void puppet.heard.push('cut'),
  };
}

const agentOf = ({ hardware }: PuppetGuest, end: (how: string) => void): GuestAgent => ({
  networkInterfaces: () =>
    hardware.nics.map(({ mac }, index) => ({
      name: `eth${index}`,
      mac,
      addresses: [{ address: `192.0.2.${index + 1}`, prefix: 24, family: 'ipv4' }],
    })),
  hostName: () => hardware.name,
  osInfo: () => ({ id: 'puppet' }),
  shutdown: () => end('agent'),
});

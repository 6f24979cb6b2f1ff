import type { PowerEnd } from '../../talos/node/machine.ts';
import type { GuestAgent, VirtualDrive } from '../guest.ts';

/** What the firmware started, until it is over. */
export interface Occupant {
  /** How it ended, by itself or because somebody ended it. */
  readonly over: Promise<PowerEnd>;
  agent(): GuestAgent | undefined;
  pressPower(): void;
  drives(now: readonly VirtualDrive[]): void;
  /** At once, and without asking. */
  end(how: 'reset' | 'off'): void;
}

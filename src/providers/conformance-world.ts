import type { FirewalledMachine, ImageRequest, MachineRequest, Provider } from './provider.ts';

/** What changes something, by what it does; each is one request, or the first of several. */
export type Write =
  | 'create'
  | 'start'
  | 'stop'
  | 'reset'
  | 'eject'
  | 'resize'
  | 'delete'
  | 'image'
  | 'keep apart'
  | 'firewall';

/** A machine as somebody sees it who stands in front of it. */
type StandingMachine = {
  readonly id: string;
  readonly host: string;
  readonly running: boolean;
  /** Everything that is written about it, as text: equal texts are an untouched machine. */
  readonly written: string;
};

/** What a machine reports of itself: cards with addresses, as `10.0.0.1/24`. */
export type Report = readonly { readonly mac: string; readonly addresses: readonly string[] }[];

/** A data centre that the suite may do anything to. A fresh one for each case. */
export interface World extends AsyncDisposable {
  readonly platform: string;
  /** At least three. */
  readonly hosts: readonly string[];
  readonly datastore: string;
  /** Texts that no error may hold. */
  readonly secrets: readonly string[];
  /** The provider, as one run opens it; another call is another run. */
  open(): Provider;
  /** A machine of the platform that fits, by its number; its image is there. */
  request(number: number, changed?: Partial<MachineRequest>): MachineRequest;
  /** Images that hosts can fetch, and how often somebody did. */
  image(kind: 'disk' | 'iso'): ImageRequest;
  fetched(): number;
  machines(): readonly StandingMachine[];
  /** Everything there is, as text: the same text is the same world. */
  picture(): Promise<string>;
  /** How often a machine was reset. */
  resets(id: string): number;
  /** Somebody else makes a machine. */
  foreign(id: string, host: string): Promise<void>;
  /** Somebody else takes a machine away, whoever it belongs to. */
  vanish(id: string): Promise<void>;
  report(id: string, report: Report): void;
  /** The next request of that kind is carried out or not, and its answer does not come. */
  lose(write: Write, fate: 'done' | 'not done'): void;
  /** The next request of that kind reaches nobody; before it is sent again, this happens. */
  interrupt(write: Write, meanwhile: () => Promise<void>): void;
  /** How many of those that were to be lost have been. */
  lost(): number;
  power(host: string, state: 'up' | 'down'): void;
  fill(datastore: string, freeGiB: number): void;
}

export type Case = {
  readonly name: string;
  readonly run: (world: World, signal: AbortSignal) => Promise<void>;
};

/** All that a machine needs to be behind a firewall. */
export const behind = (request: MachineRequest, host: string, address: string): FirewalledMachine => ({
  mark: request.mark,
  id: request.id ?? '',
  host,
  role: request.role,
  addresses: [address],
});

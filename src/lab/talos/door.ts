import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Machine } from './node/machine.ts';

const retryMs = 1000;

/** A port of a machine, open on every address that the machine has. */
export class Door {
  readonly #machine: Machine;
  readonly #port: number;
  readonly #receive: (socket: Socket) => void;
  readonly #servers = new Map<string, Server>();
  readonly #shut = new AbortController();

  constructor(machine: Machine, port: number, receive: (socket: Socket) => void) {
    this.#machine = machine;
    this.#port = port;
    this.#receive = receive;
  }

  /** Looks at the addresses again: listens on new ones, and no longer on those that are gone. */
  async follow(): Promise<void> {
    if (this.#shut.signal.aborted) return;
    const wanted = new Set(this.#machine.addresses.map(({ address }) => address));
    // Who came in at an address that is gone may finish.
    for (const address of this.#servers.keys()) if (!wanted.has(address)) void this.#stop(address);
    await Promise.all([...wanted].filter((address) => !this.#servers.has(address)).map((each) => this.#listen(each)));
  }

  async #listen(address: string): Promise<void> {
    const server = createServer(this.#receive);
    this.#servers.set(address, server);
    try {
      await this.#machine.world.network.listen(server, address, this.#port);
      if (this.#servers.get(address) !== server) await this.#machine.world.network.release(server);
    } catch (error) {
      if (this.#servers.get(address) === server) this.#servers.delete(address);
      this.#machine.boot?.kernel(`port ${this.#port} of ${address} stays shut: ${(error as Error).message}`);
      // Two machines with one address: who comes second gets it when the first is gone.
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') this.#later();
    }
  }

  #later(): void {
    void this.#machine.world.clock.sleep(retryMs, this.#shut.signal).then(
      () => this.follow(),
      () => undefined,
    );
  }

  async #stop(address: string): Promise<void> {
    const server = this.#servers.get(address);
    this.#servers.delete(address);
    if (server?.listening === true) await this.#machine.world.network.release(server);
  }

  /** Resolves when nobody is let in any more and everybody who was in has left. */
  async shut(): Promise<void> {
    this.#shut.abort(new Error('shut'));
    await Promise.all([...this.#servers.keys()].map((address) => this.#stop(address)));
  }
}

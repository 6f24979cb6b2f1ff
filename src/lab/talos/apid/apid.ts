import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { makeRequest } from '../../pki/request.ts';
import { newKeyPair } from '../../pki/issue.ts';
import { serveGrpc } from '../../grpc/server.ts';
import type { Call, GrpcConnection } from '../../grpc/server.ts';
import { acceptTls } from '../../tls/accept.ts';
import type { TlsTerms } from '../../tls/accept.ts';
import { Door } from '../door.ts';
import type { Boot } from '../node/boot.ts';
import { tellUnhealthy } from '../node/lives.ts';
import { hostsOf } from '../node/hosts.ts';
import type { Machine } from '../node/machine.ts';
import type { Settings } from '../node/settings.ts';
import { serveLocally } from '../machined/serve.ts';
import { askTrustd } from '../trustd.ts';
import {
  fingerprintOf,
  judgeClient,
  maintenanceCredentials,
  organizationsOf,
  renewAfterMs,
  serverCredentials,
  signedAgain,
  signedCredentials,
} from './credentials.ts';
import type { ServerCredentials } from './credentials.ts';
import { faulty } from './faulty.ts';
import { route } from './route.ts';

export const apidPort = 50_000;
const drainMs = 10_000;
const healthCheckMs = 5000;
const lastWordsMs = 200;

type Mode = 'maintenance' | 'configured';

/** The node’s door on port 50000. Certificates are made when somebody knocks. */
export class Apid {
  readonly #machine: Machine;
  #door: Door | undefined;
  #mode: Mode = 'maintenance';
  #credentials: ServerCredentials | undefined;
  #issuedFor = '';
  /** The boot whose certificate a control plane signed. */
  #signedIn: Boot | undefined;
  #cas: readonly X509Certificate[] = [];
  #closing: Promise<void> = Promise.resolve();
  readonly #connections = new Set<GrpcConnection>();
  readonly #sockets = new Set<Socket>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  async open(boot: Boot, mode: Mode): Promise<void> {
    this.#mode = mode;
    if (mode === 'configured' && boot.settings?.type === 'worker') await this.certified(boot);
    else this.#forget();
    boot.signal.throwIfAborted();
    this.#door = new Door(this.#machine, apidPort, (socket) => void this.receive(boot, socket));
    await this.#door.follow();
    if (boot.signal.aborted) this.stop();
  }

  /** The machine’s addresses are others now. */
  async moved(): Promise<void> {
    await this.#door?.follow();
  }

  #forget(): void {
    this.#credentials = undefined;
    this.#issuedFor = '';
    this.#signedIn = undefined;
  }

  /** Takes a connection; the virtual address hands its own over here. */
  async receive(boot: Boot, socket: Socket): Promise<void> {
    if (boot.signal.aborted) return void socket.destroy();
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (this.#machine.faults.take('refuse-connection', '') !== undefined) return void socket.resetAndDestroy();
    const accepted = await acceptTls(socket, this.#terms(boot));
    if (accepted === undefined) return;
    // Who knocked as the node went down would be talking to one that is gone.
    if (boot.signal.aborted) return void socket.destroy();
    const roles = accepted.certificate === undefined ? ['os:reader'] : organizationsOf(accepted.certificate);
    const connection = serveGrpc(accepted.socket, (call) => this.#answer(boot, call, roles));
    this.#connections.add(connection);
    accepted.socket.on('close', () => this.#connections.delete(connection));
  }

  #terms(boot: Boot): TlsTerms {
    const { context } = this.credentials(boot);
    if (this.#mode === 'maintenance') return { context };
    return { context, judge: (certificate) => judgeClient(certificate, this.#cas, boot.clock.now()) };
  }

  /** Issued anew after half of its life, and when what it says is no longer so. */
  credentials(boot: Boot): ServerCredentials {
    const wanted = this.#wanted(boot);
    const old = this.#credentials;
    const fresh = old !== undefined && boot.clock.now().getTime() - old.issuedAt.getTime() < renewAfterMs;
    if (fresh && wanted === this.#issuedFor) return old;
    const { settings, clock } = boot;
    if (this.#mode === 'maintenance' || settings === undefined) {
      this.#credentials = maintenanceCredentials(clock, [boot.hostname ?? '', ...this.#machine.ownAddresses()]);
    } else if (this.#signedIn === boot && old !== undefined) {
      void this.#sign(boot, settings).catch(() => undefined);
      this.#trust(settings);
      return signedAgain(old, settings);
    } else {
      this.#trust(settings);
      this.#credentials = serverCredentials(clock, settings.ca, settings.acceptedCas, {
        commonName: boot.hostname ?? '',
        hosts: hostsOf(this.#machine, boot),
      });
    }
    this.#issuedFor = wanted;
    return this.#credentials;
  }

  #wanted({ hostname, settings }: Boot): string {
    return JSON.stringify([
      this.#mode,
      this.#machine.heldVips,
      this.#machine.ownAddresses(),
      hostname,
      settings?.certSans,
      settings?.ca.crt,
      settings?.acceptedCas,
    ]);
  }

  #trust(settings: Settings): void {
    this.#cas = [settings.ca.crt, ...settings.acceptedCas].map((pem) => new X509Certificate(pem));
  }

  /** A worker’s certificate is signed by the trustd of a control plane; without one its door stays shut. */
  async certified(boot: Boot): Promise<void> {
    const { settings } = boot;
    if (settings === undefined || this.#signedIn === boot) return;
    await this.#sign(boot, settings);
  }

  async #sign(boot: Boot, settings: Settings): Promise<void> {
    const { privateKey } = newKeyPair(new X509Certificate(settings.ca.crt).publicKey);
    const request = makeRequest(privateKey, boot.hostname ?? '', hostsOf(this.#machine, boot));
    const { crt } = await askTrustd(this.#machine, boot, request);
    this.#mode = 'configured';
    this.#trust(settings);
    this.#credentials = signedCredentials(boot.clock, crt, privateKey, [settings.ca.crt, ...settings.acceptedCas]);
    this.#signedIn = boot;
    this.#issuedFor = this.#wanted(boot);
  }

  fingerprint(): string | undefined {
    const boot = this.#machine.boot;
    if (boot === undefined || this.#mode !== 'maintenance' || this.#door === undefined) return undefined;
    return fingerprintOf(this.credentials(boot).crt);
  }

  async #answer(boot: Boot, call: Call, certified: readonly string[]): Promise<void> {
    await faulty(this.#machine, boot, call, async (given) => {
      if (this.#mode === 'maintenance')
        return serveLocally({
          machine: this.#machine,
          boot,
          call: given,
          roles: new Set(['os:reader']),
          maintenance: true,
        });
      const asked = given.metadata.get('talos-role') ?? [];
      const roles = new Set(certified.includes('os:impersonator') ? asked : certified);
      return route({ machine: this.#machine, boot, call: given, roles, maintenance: false });
    });
  }

  /** No new connections; what is open may go on for a while. */
  close(boot: Boot): Promise<void> {
    const door = this.#door;
    this.#door = undefined;
    this.#closing = (async () => {
      if (door === undefined) return;
      const gone = door.shut();
      const drained = Promise.all([...this.#connections].map((connection) => connection.drain()));
      const began = boot.clock.now().getTime();
      const waited = new AbortController();
      const enough = boot.clock.sleep(drainMs, AbortSignal.any([boot.signal, waited.signal]));
      await Promise.race([drained, enough.catch(() => undefined)]);
      waited.abort();
      if (boot.clock.now().getTime() - began > healthCheckMs)
        tellUnhealthy(boot, 'apid', 'dial tcp 127.0.0.1:50000: connect: connection refused');
      for (const connection of this.#connections) connection.destroy();
      this.#connections.clear();
      const sockets = [...this.#sockets];
      setImmediate(() => sockets.forEach((socket) => socket.destroy()));
      await gone;
    })();
    return this.#closing;
  }

  closed(): Promise<void> {
    return this.#closing.catch(() => undefined);
  }

  isOpen(): boolean {
    return this.#door !== undefined;
  }

  /** The process ends with the node: streams that were open end as if they were complete. */
  stop(): void {
    const door = this.#door;
    this.#door = undefined;
    this.#forget();
    const open = [...this.#connections];
    const sockets = [...this.#sockets];
    this.#connections.clear();
    for (const connection of open) connection.stop();
    const over = Promise.race([
      Promise.all(open.map((connection) => connection.closed())),
      new Promise((resolve) => setTimeout(resolve, lastWordsMs).unref()),
    ]);
    void over.then(() => setImmediate(() => sockets.forEach((socket) => socket.destroy())));
    if (door !== undefined) this.#closing = door.shut();
  }
}

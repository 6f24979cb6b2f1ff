import { createServer } from 'node:https';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { issuerOf, issueWithKey } from '../pki/issue.ts';
import { validity } from './apid/credentials.ts';
import { Door } from './door.ts';
import type { Boot } from './node/boot.ts';
import { apiRuns, servesApi } from './node/kubernetes.ts';
import type { Machine } from './node/machine.ts';
import type { KubernetesApi } from './world.ts';

export const kubernetesPort = 6443;

/** Port 6443 of a control plane: open while its API server would be, answered by whoever was plugged in. */
export class KubernetesPort {
  readonly #machine: Machine;
  #door: Door | undefined;
  #https: HttpsServer | undefined;
  readonly #sockets = new Set<Socket>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Open while the API is served in this boot, and not at all when nobody answers for it. */
  async follow(boot: Boot): Promise<void> {
    for (;;) {
      await boot.until(() => servesApi(boot));
      const api = this.#machine.world.kubernetesOf(boot);
      if (api === undefined) return;
      this.#https = this.#serve(boot, api);
      this.#door = new Door(this.#machine, kubernetesPort, (socket) => this.receive(socket));
      await this.#door.follow();
      if (boot.signal.aborted) return await this.stop();
      this.#machine.world.stir();
      await boot.until(() => !apiRuns(boot));
      await this.stop();
    }
  }

  #serve(boot: Boot, api: KubernetesApi): HttpsServer {
    const { settings, clock } = boot;
    const ca = settings?.kubernetesCa ?? { crt: '', key: '' };
    const { crt, key } = issueWithKey(issuerOf(ca.crt, ca.key), {
      subject: { organizations: ['kube-master'], commonName: 'kube-apiserver' },
      hosts: namesOf(this.#machine, boot),
      usage: ['digitalSignature', 'keyEncipherment'],
      purposes: ['server'],
      ...validity(clock, 365 * 24 * 3_600_000),
    });
    return createServer(
      {
        cert: crt,
        key: key.export({ type: 'pkcs8', format: 'pem' }),
        ca: [ca.crt, ...(settings?.acceptedKubernetesCas ?? [])],
        requestCert: true,
        rejectUnauthorized: false,
      },
      api.handle,
    );
  }

  receive(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (this.#https === undefined) socket.destroy();
    else this.#https.emit('connection', socket);
  }

  isOpen(): boolean {
    return this.#door !== undefined;
  }

  /** The machine’s addresses are others now. */
  async moved(): Promise<void> {
    await this.#door?.follow();
  }

  async stop(): Promise<void> {
    const door = this.#door;
    this.#door = undefined;
    this.#https = undefined;
    for (const socket of this.#sockets) socket.destroy();
    await door?.shut();
  }
}

const namesOf = (machine: Machine, { settings, hostname }: Boot): readonly string[] => [
  ...new Set([
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    'localhost',
    hostname ?? '',
    ...machine.ownAddresses(),
    '127.0.0.1',
    ...(settings?.vips ?? []),
    ...(URL.canParse(settings?.endpoint ?? '') ? [new URL(settings?.endpoint ?? '').hostname] : []),
  ]),
];

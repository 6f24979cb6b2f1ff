import { createServer } from 'node:https';
import type { Server as HttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { issuerOf, issueWithKey } from '../pki/issue.ts';
import { validity } from './apid/credentials.ts';
import { stopListening } from './network.ts';
import type { Boot } from './node/boot.ts';
import { servesApi } from './node/kubernetes.ts';
import type { Machine } from './node/machine.ts';
import type { KubernetesApi } from './world.ts';

export const kubernetesPort = 6443;

/** Port 6443 of a control plane: open while its API server would be, answered by whoever was plugged in. */
export class KubernetesPort {
  readonly #machine: Machine;
  #listener: Server | undefined;
  #https: HttpsServer | undefined;
  readonly #sockets = new Set<Socket>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Opens as soon as the API is served in this boot, and not at all when nobody answers for it. */
  async follow(boot: Boot): Promise<void> {
    const api = this.#machine.world.kubernetesOf(boot);
    if (api === undefined) return;
    await boot.until(() => servesApi(boot));
    this.#https = this.#serve(boot, api);
    this.#listener = createTcpServer((socket) => this.receive(socket));
    await this.#machine.world.network.listen(this.#listener, this.#machine.options.address, kubernetesPort);
    if (boot.signal.aborted) this.stop();
    this.#machine.world.stir();
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
      api,
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
    return this.#listener !== undefined;
  }

  stop(): void {
    const listener = this.#listener;
    this.#listener = undefined;
    this.#https = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (listener !== undefined) void stopListening(listener);
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
    machine.options.address,
    '127.0.0.1',
    ...(settings?.vips ?? []),
    ...(URL.canParse(settings?.endpoint ?? '') ? [new URL(settings?.endpoint ?? '').hostname] : []),
  ]),
];

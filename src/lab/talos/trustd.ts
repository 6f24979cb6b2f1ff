import { fromBinary, create, toBinary } from '@bufbuild/protobuf';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { CertificateRequestSchema, CertificateResponseSchema } from '../../wire/gen/talos/security_pb.ts';
import { callThrough, openSession } from '../grpc/client.ts';
import { hangUp } from '../grpc/hang-up.ts';
import { serveGrpc } from '../grpc/server.ts';
import type { Call } from '../grpc/server.ts';
import { GrpcStatus } from '../grpc/status.ts';
import { issueLeaf, issuerOf } from '../pki/issue.ts';
import { readRequest } from '../pki/request.ts';
import { acceptTls } from '../tls/accept.ts';
import { hostsOf } from './node/hosts.ts';
import { serverCredentials, validity } from './apid/credentials.ts';
import type { ServerCredentials } from './apid/credentials.ts';
import { Door } from './door.ts';
import type { Boot } from './node/boot.ts';
import type { Machine } from './node/machine.ts';

const port = 50_001;
const path = '/securityapi.SecurityService/Certificate';

/** Signs the workers’ certificates, for who knows the token. */
export class Trustd {
  readonly #machine: Machine;
  #door: Door | undefined;
  #credentials: ServerCredentials | undefined;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  async open(boot: Boot): Promise<void> {
    this.#door = new Door(this.#machine, port, (socket) => {
      socket.on('error', () => socket.destroy());
      const { settings } = boot;
      if (settings === undefined || boot.signal.aborted) return void socket.destroy();
      this.#credentials ??= serverCredentials(boot.clock, settings.ca, [], {
        commonName: boot.hostname ?? '',
        hosts: hostsOf(this.#machine, boot),
        encipher: true,
      });
      void acceptTls(socket, { context: this.#credentials.context }).then((accepted) => {
        if (accepted !== undefined) serveGrpc(accepted.socket, (call) => sign(boot, call));
      });
    });
    await this.#door.follow();
    if (boot.signal.aborted) await this.stop();
  }

  isOpen(): boolean {
    return this.#door !== undefined;
  }

  /** The machine’s addresses are others now; its certificate names them. */
  async moved(): Promise<void> {
    this.#credentials = undefined;
    await this.#door?.follow();
  }

  async stop(): Promise<void> {
    const door = this.#door;
    this.#door = undefined;
    this.#credentials = undefined;
    await door?.shut();
  }
}

async function sign({ settings, clock }: Boot, call: Call): Promise<void> {
  if (call.path !== path) throw new GrpcStatus('UNIMPLEMENTED', `unknown service ${call.path.split('/')[1] ?? ''}`);
  const token = call.metadata.get('token')?.[0];
  if (token === undefined) throw new GrpcStatus('UNAUTHENTICATED', 'missing token');
  if (settings === undefined || token !== settings.token) throw new GrpcStatus('UNAUTHENTICATED', 'invalid token');
  let text = '';
  for await (const message of call.requests)
    text = Buffer.from(fromBinary(CertificateRequestSchema, message).csr).toString('utf8');
  const request = readRequest(text);
  if (request === undefined) throw new GrpcStatus('INVALID_ARGUMENT', 'failed to decode CSR');
  const issuer = issuerOf(settings.ca.crt, settings.ca.key);
  if (request.publicKey.asymmetricKeyType !== issuer.key.asymmetricKeyType)
    throw new GrpcStatus(
      'INTERNAL',
      'failed to sign CSR: x509: requested SignatureAlgorithm does not match private key type',
    );
  const crt = issueLeaf(issuer, {
    subject: request.commonName === undefined ? {} : { commonName: request.commonName },
    publicKey: request.publicKey,
    hosts: request.hosts,
    usage: ['digitalSignature'],
    purposes: ['server'],
    ...validity(clock),
  });
  const reply = create(CertificateResponseSchema, {
    ca: Buffer.from([settings.ca.crt, ...settings.acceptedCas].join('')),
    crt: Buffer.from(crt),
  });
  await call.send(toBinary(CertificateResponseSchema, reply));
}

/** Goes from one control plane to the next until one signs; waits for one when there is none. */
export async function askTrustd(machine: Machine, boot: Boot, csr: string): Promise<{ readonly crt: string }> {
  const { world } = machine;
  const candidates = (): Machine[] =>
    [...world.machines()].filter(
      (other) => other.trustd.isOpen() && other.boot?.settings?.ca.crt === boot.settings?.ca.crt,
    );
  for (;;) {
    await world.until(() => candidates().length > 0, boot.signal);
    for (const candidate of candidates()) {
      const crt = await world.network
        .dial(candidate.address, port)
        .then((socket) => askOne(socket, candidate.address, boot, csr))
        .catch(() => undefined);
      if (crt !== undefined) return { crt };
    }
    await boot.sleep(1000);
  }
}

async function askOne(raw: Socket, address: string, boot: Boot, csr: string): Promise<string | undefined> {
  const { settings } = boot;
  if (settings === undefined) return undefined;
  const socket = connectTls({
    socket: raw,
    host: address,
    servername: '',
    ca: [settings.ca.crt, ...settings.acceptedCas],
    ALPNProtocols: ['h2'],
    minVersion: 'TLSv1.3',
  });
  const session = openSession(socket);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
    });
    const body = toBinary(CertificateRequestSchema, create(CertificateRequestSchema, { csr: Buffer.from(csr) }));
    const call = { path, metadata: new Map([['token', [settings.token]]]), requests: oneMessage(body) };
    for await (const message of callThrough(session, call, boot.signal))
      return Buffer.from(fromBinary(CertificateResponseSchema, message).crt).toString('utf8');
    return undefined;
  } finally {
    hangUp(session, socket);
  }
}

async function* oneMessage(message: Uint8Array): AsyncGenerator<Uint8Array> {
  yield message;
}

import { gzipSync } from 'node:zlib';
import { generateKeyPairSync } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http2';
import type { JsonObject } from '@bufbuild/protobuf';
import { openSession } from '../../src/lab/grpc/client.ts';
import { percentDecoded } from '../../src/lab/grpc/frames.ts';
import { grpcCode } from '../../src/lab/grpc/status.ts';
import { makeRequest } from '../../src/lab/pki/request.ts';
import { call, secured } from '../lab/caller.ts';
import { fieldCount, requestBytes, responseJson } from '../lab/codec.ts';
import { alertOf } from '../tls-alerts.ts';
import { acceptedCa, address, clientFor, configFor, secrets } from './stage.ts';
import type { NodeName } from './stage.ts';
import type { Row } from './rows.ts';

export type Answer = {
  readonly code: string;
  readonly message: string;
  readonly response?: unknown;
  readonly alert?: number;
};

const codeName = (code: number): string =>
  Object.entries(grpcCode).find(([, number]) => number === code)?.[0] ?? String(code);

const sysctls = '    sysctls:\n        net.core.somaxconn: "65535"';
const env = '    env:\n        FOO: bar';

/** What a recorded placeholder stood for. */
function configText(placeholder: string, node: NodeName): string {
  const own = configFor(node);
  const kind = node === 'worker' ? 'worker' : 'cp1';
  switch (placeholder) {
    case '<control plane config>':
      return configFor(node === 'worker' ? 'cp1' : node);
    case '<worker config>':
      return configFor('worker');
    case '<current config>':
      return own;
    case '<current config plus machine.sysctls>':
      return configFor(node, sysctls);
    case '<current config plus machine.env>':
      return configFor(node, env);
    case '<current config plus machine.certSANs>':
      return own.replace('certSANs: []', 'certSANs:\n        - extra.example.org');
    case '<current config plus machine.acceptedCAs>':
      return configFor(node, `    acceptedCAs:\n        - crt: ${Buffer.from(acceptedCa.crt).toString('base64')}`);
    case '<control plane config with machine.type worker>':
      return configFor('cp1').replace('type: controlplane', 'type: worker');
    case '<control plane config with machine.type banana>':
      return configFor('cp1').replace('type: controlplane', 'type: banana');
    case '<worker config with machine.type controlplane>':
      return configFor('worker').replace('type: worker', 'type: controlplane');
    case '<control plane config with a second HostnameConfig>':
      return `${configFor(kind)}---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n`;
    default: {
      const size = /^<(\d+) bytes of #>$/.exec(placeholder)?.[1];
      return size === undefined ? placeholder : '#'.repeat(Number(size));
    }
  }
}

function requestOf(row: Row, node: NodeName, members: ReadonlyMap<string, bigint>): Uint8Array {
  const request = { ...(row.request as JsonObject) };
  if (row.method.endsWith('/ApplyConfiguration') && typeof request['data'] === 'string')
    request['data'] = Buffer.from(configText(request['data'], node)).toString('base64');
  if (row.case === 'b-remove-live-member') request['member_id'] = String(members.get('chk-cp2') ?? 0n);
  const text = JSON.stringify(request)
    .replaceAll('10.5.0.', '127.91.0.')
    .replaceAll('<registry>/etcd', 'registry.k8s.io/etcd')
    .replaceAll('<registry>', 'ghcr.io/siderolabs');
  return requestBytes(row.method, JSON.parse(text) as JsonObject);
}

export const nodeOf = (row: Row, unconfigured: NodeName): NodeName =>
  row.case.startsWith('cp3')
    ? 'cp3'
    : row.node === 'worker'
      ? 'worker'
      : row.node === 'second controlplane'
        ? 'cp2'
        : row.node === 'unconfigured'
          ? unconfigured
          : 'cp1';

export async function ask(row: Row, node: NodeName, members: ReadonlyMap<string, bigint> = new Map()): Promise<Answer> {
  const client = clientFor(row);
  const target = { host: address[node], ...(client === undefined ? {} : { client }) };
  if (row.case.startsWith('raw-') && !row.case.startsWith('raw-unknown')) return askRaw(row, target);
  if (row.case.startsWith('trustd')) return askTrustd(row, node);
  const metadata = (row.metadata ?? []).map(([key, value]) => [key, value.replaceAll('10.5.0.', '127.91.0.')] as const);
  const open = row.code === 'DEADLINE_EXCEEDED';
  try {
    const { code, message, messages } = await call(target, row.method, [requestOf(row, node, members)], {
      metadata,
      deadlineMs: open ? 400 : 8000,
    });
    return { code: codeName(code), message, response: shaped(row, messages) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const alert = alertOf(code);
    return {
      code: 'UNAVAILABLE',
      message: code === 'ECONNREFUSED' ? '<connection refused>' : (code ?? ''),
      ...(alert === undefined ? {} : { alert }),
    };
  }
}

/** Laid out as the recording is. */
export function shaped(row: Row, messages: readonly Uint8Array[]): unknown {
  const expected = row.response;
  if (expected === undefined) return undefined;
  if (expected === '<trimmed>')
    return messages.every((message) => fieldCount(message) > 0) && messages.length > 0 ? '<trimmed>' : undefined;
  const decoded = messages.map((message) => responseJson(row.method, message));
  if (!isStreamed(expected)) return decoded[0];
  const { stream, data_sizes: sizes } = expected;
  return {
    // How bytes are cut follows from how many there are.
    messages: sizes === undefined ? messages.length : expected.messages,
    ...(stream === undefined ? {} : { stream: decoded.slice(0, stream.length) }),
    ...(sizes === undefined ? {} : { data_sizes: sizes }),
  };
}

type Streamed = {
  readonly messages: number;
  readonly stream?: readonly unknown[];
  readonly data_sizes?: readonly unknown[];
};
const isStreamed = (value: unknown): value is Streamed =>
  typeof value === 'object' && value !== null && typeof (value as Streamed).messages === 'number';

async function askTrustd(row: Row, node: NodeName): Promise<Answer> {
  const ed = generateKeyPairSync('ed25519').privateKey;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const csr =
    row.case === 'trustd-rsacsr' ? makeRequestOf(rsa) : row.case === 'trustd-badcsr' ? 'nothing' : makeRequestOf(ed);
  const empty = (row.request as JsonObject)['csr'] === undefined;
  const request = requestBytes(row.method, empty ? {} : { csr: Buffer.from(csr).toString('base64') });
  const metadata = (row.metadata ?? []).map(
    ([key]) => [key, row.code === 'UNAUTHENTICATED' ? 'wrong' : secrets.token] as const,
  );
  const { code, message, messages } = await call({ host: address[node], port: 50_001 }, row.method, [request], {
    metadata,
  });
  return { code: codeName(code), message, response: shaped(row, messages) };
}

const makeRequestOf = (key: Parameters<typeof makeRequest>[0]): string =>
  makeRequest(key, 'chk-w1', ['chk-w1', '10.5.0.42']);

/** What only raw HTTP/2 can say. */
async function askRaw(row: Row, target: Parameters<typeof secured>[0]): Promise<Answer> {
  const socket = await secured(target);
  const session = openSession(socket);
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': row.method,
      'content-type': row.case.includes('json') ? 'application/json' : 'application/grpc',
      te: 'trailers',
      ...(row.case.includes('gzip') ? { 'grpc-encoding': 'gzip' } : {}),
      ...(row.case.includes('timeout') ? { 'grpc-timeout': '1n' } : {}),
    });
    const body = row.case.includes('malformed') ? Buffer.from([0xff, 0xff]) : Buffer.alloc(0);
    const packed = row.case.includes('gzip') ? gzipSync(body) : body;
    const frame = Buffer.concat([Buffer.from([row.case.includes('gzip') ? 1 : 0, 0, 0, 0, packed.length]), packed]);
    const seen = new Promise<Answer>((resolve, reject) => {
      const take = (headers: IncomingHttpHeaders): void => {
        const code = headers['grpc-status'];
        if (typeof code === 'string')
          resolve({
            code: codeName(Number(code)),
            message: percentDecoded([headers['grpc-message'] ?? ''].flat().join('')),
          });
      };
      stream.on('response', take);
      stream.on('trailers', take);
      stream.on('error', reject);
    });
    stream.end(frame);
    stream.resume();
    return await seen;
  } finally {
    session.destroy();
    socket.destroy();
  }
}

import { deflateSync, gzipSync } from 'node:zlib';
import type { HttpRequest } from './request.ts';

/** What goes back to a client. */
export type Reply = {
  readonly status: number;
  readonly reason: string;
  readonly body?: Buffer | string;
  /** Bodies that are plain text go without. */
  readonly type?: string;
  readonly location?: string;
  /** Nothing more is taken from this connection. */
  readonly close?: true;
  /** Connection headers of whoever answered behind this host; they stay in front of its own. */
  readonly relayed?: readonly string[];
};

/** The text is in the status line and in the body. */
export const textReply = (status: number, text: string): Reply => ({ status, reason: text, body: text });

/** The text is in the status line alone. */
export const emptyReply = (status: number, reason: string): Reply => ({ status, reason });

export const jsonType = 'application/json;charset=UTF-8';

const packedFrom = 1024;

/** Head and body as they go over the wire, in the order that the real thing has. */
export function printed(reply: Reply, request: HttpRequest | undefined, keepAlive: boolean, now: Date): Buffer {
  const { body, encoding } = packed(reply, request);
  const date = now.toUTCString();
  const connections = keepAlive ? [...(reply.relayed ?? []), 'Keep-Alive'] : ['close'];
  const lines = [
    `HTTP/${request?.version ?? '1.0'} ${reply.status} ${reasonOf(reply)}`,
    'Cache-Control: max-age=0',
    ...connections.map((each) => `Connection: ${each}`),
    `Date: ${date}`,
    'Pragma: no-cache',
    ...(reply.location === undefined ? [] : [`Location: ${reply.location}`]),
    'Server: pve-api-daemon/3.0',
    ...(encoding === undefined ? [] : [`Content-Encoding: ${encoding}`]),
    ...(body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
    ...(reply.type === undefined ? [] : [`Content-Type: ${reply.type}`]),
    `Expires: ${date}`,
    '',
    '',
  ];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]);
}

/** The first line of a message, as bytes that a status line can carry. */
function reasonOf({ reason }: Reply): string {
  const [line = ''] = reason.split('\n');
  return Buffer.from(line, 'utf8').toString('latin1');
}

function packed({ body = '' }: Reply, request: HttpRequest | undefined): { body: Buffer; encoding?: string } {
  const plain = typeof body === 'string' ? Buffer.from(body) : body;
  const accepted = request?.headers.get('accept-encoding') ?? '';
  if (plain.length <= packedFrom) return { body: plain };
  if (accepted.includes('gzip')) return { body: gzipSync(plain), encoding: 'gzip' };
  if (accepted.includes('deflate')) return { body: deflateSync(plain), encoding: 'deflate' };
  return { body: plain };
}

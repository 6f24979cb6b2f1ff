import type { ProxmoxLab } from '../../src/lab/proxmox/twin.ts';
import { exchange } from './exchange.ts';
import type { Exchanged } from './exchange.ts';

/** A request as short as it can be written: `POST /pools`, what goes with it, and who asks. */
export type Asked = {
  /** `PVEAPIToken=…`, `Cookie: …` lines; absent: a token of root. */
  readonly headers?: readonly string[];
  /** Besides. */
  readonly more?: readonly string[];
  readonly form?: Readonly<Record<string, string | number>> | string;
  readonly json?: unknown;
  /** The host that is asked; absent: the first. */
  readonly on?: string;
  /** Absent: json. */
  readonly format?: string;
};

export type Told = {
  readonly status: number;
  readonly reason: string;
  /** Parsed where it is JSON; `''` where there is none. */
  readonly body: unknown;
  readonly headers: Exchanged['headers'];
};

export type Asking = (call: string, asked?: Asked) => Promise<Told>;

/** Somebody who asks a lab over the wire, one connection for each question. */
export function asking(lab: ProxmoxLab, token = lab.token('asking')): Asking {
  return async (call, { headers, more = [], form, json, on, format = 'json' } = {}) => {
    const [method = '', path = ''] = call.split(' ');
    const body =
      json !== undefined
        ? JSON.stringify(json)
        : typeof form === 'object'
          ? Object.entries(form)
              .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
              .join('&')
          : form;
    const lines = [
      `${method} /api2/${format}${path} HTTP/1.1`,
      'Host: lab',
      'Connection: close',
      ...(headers ?? [`Authorization: PVEAPIToken=${token}`]),
      ...more,
      ...(json === undefined ? [] : ['Content-Type: application/json']),
      ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
      '',
      body ?? '',
    ];
    const endpoint = (on === undefined ? [...lab.endpoints.values()][0] : lab.endpoints.get(on)) ?? '';
    return told(await exchange(endpoint, lab.ca, lines.join('\r\n')));
  };
}

export function told({ statusLine, headers, body }: Exchanged): Told {
  const [, status = '0', reason = ''] = /^HTTP\/1\.\d (\d+) (.*)$/.exec(statusLine) ?? [];
  const isJson = headers.some(([name, value]) => name === 'Content-Type' && value.startsWith('application/json'));
  return { status: Number(status), reason, headers, body: isJson ? (JSON.parse(body) as unknown) : body };
}

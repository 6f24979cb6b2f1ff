import type { Incoming } from './incoming.ts';

/** A request whose head was read; the body waits. */
export type HttpRequest = {
  readonly method: string;
  readonly target: string;
  /** `1.1` */
  readonly version: string;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** As many bytes as Content-Length says. */
  readonly body: () => AsyncIterable<Buffer>;
};

export type Head =
  | { readonly kind: 'request'; readonly request: HttpRequest }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  /** Too much of it: nobody answers. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'over' };

const mostLines = 64;
const mostBytes = 8 * 1024;

export async function readHead(incoming: Incoming): Promise<Head> {
  let first = await incoming.line();
  while (first === '') first = await incoming.line();
  if (first === undefined) return { kind: 'over' };
  const [, method = '', target = '', major = '', minor = ''] = /(\S+) (\S+) HTTP\/(\d+)\.(\d+)/.exec(first) ?? [];
  if (method === '') return { kind: 'refused', status: 400, reason: 'bad request' };
  if (major !== '1')
    return { kind: 'refused', status: 506, reason: `http protocol version ${major}.${minor} not supported` };
  const headers = await readHeaders(incoming);
  if (typeof headers === 'string') return headers === 'over' ? { kind: 'over' } : headersRefused(headers);
  const length = Number(headers.get('content-length') ?? 0);
  const version = `${major}.${minor}`;
  return {
    kind: 'request',
    request: {
      method,
      target,
      version,
      headers,
      body: () => incoming.bytes(Number.isSafeInteger(length) ? length : 0),
    },
  };
}

const headersRefused = (why: 'too much' | 'unreadable'): Head =>
  why === 'too much' ? { kind: 'ignored' } : { kind: 'refused', status: 506, reason: 'unable to parse request header' };

async function readHeaders(incoming: Incoming): Promise<Map<string, string> | 'over' | 'too much' | 'unreadable'> {
  const headers = new Map<string, string>();
  let last = '';
  for (let lines = 1, size = 0; ; lines++) {
    const line = await incoming.line();
    if (line === undefined) return 'over';
    size += line.length;
    if (lines >= mostLines || size >= mostBytes) return 'too much';
    if (line === '') return headers;
    const [, name, value = ''] = /^([^:\s]+)\s*:\s*(.*)/.exec(line) ?? [];
    if (name !== undefined) {
      last = name.toLowerCase();
      const before = headers.get(last);
      headers.set(last, before === undefined ? value : `${before}, ${value}`);
    } else if (/^\s+/.test(line) && last !== '') headers.set(last, `${headers.get(last) ?? ''} ${line.trimStart()}`);
    else return 'unreadable';
  }
}

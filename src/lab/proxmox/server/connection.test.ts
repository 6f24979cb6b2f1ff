import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { deflateSync, gunzipSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseAnswer } from '../../../../test/lab/exchange.ts';
import { serveConnection } from './connection.ts';
import type { Serve } from './connection.ts';

const now = (): Date => new Date('2026-11-17T08:00:00Z');

/** Everything that a server says to these bytes until it closes, and how long it waited before. */
async function conversation(serve: Serve, bytes: string, idleMs = 60): Promise<Buffer> {
  const server = createServer((socket) => void serveConnection(socket, serve, { now, idleMs }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return await new Promise<Buffer>((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.on('close', () => server.close(() => resolve(Buffer.concat(pieces))));
    socket.write(bytes);
  });
}

const hello: Serve = async () => ({ status: 200, reason: 'OK', body: '{"data":null}', type: 'application/json' });
const get = (headers = ''): string => `GET / HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

test('an answer has the headers of the real thing, in its order', async () => {
  const { statusLine, headers } = parseAnswer(await conversation(hello, get('Connection: close\r\n')));
  expect([statusLine, ...headers]).toEqual([
    'HTTP/1.1 200 OK',
    ['Cache-Control', 'max-age=0'],
    ['Connection', 'close'],
    ['Date', 'Tue, 17 Nov 2026 08:00:00 GMT'],
    ['Pragma', 'no-cache'],
    ['Server', 'pve-api-daemon/3.0'],
    ['Content-Length', '13'],
    ['Content-Type', 'application/json'],
    ['Expires', 'Tue, 17 Nov 2026 08:00:00 GMT'],
  ]);
});

test('what was relayed says twice what becomes of the connection, and the second is meant', async () => {
  const relayed: Serve = async () => ({ status: 200, reason: 'OK', body: '{}', relayed: ['close'] });
  const { headers } = parseAnswer(await conversation(relayed, get()));
  expect(headers.filter(([name]) => name === 'Connection')).toEqual([
    ['Connection', 'close'],
    ['Connection', 'Keep-Alive'],
  ]);
});

test('a connection takes a hundred requests, and the last answer says so', async () => {
  const all = (await conversation(hello, get().repeat(120))).toString();
  expect({
    answers: all.match(/HTTP\/1\.1 200/g)?.length,
    kept: all.match(/Connection: Keep-Alive/g)?.length,
    closed: all.match(/Connection: close/g)?.length,
  }).toEqual({ answers: 100, kept: 99, closed: 1 });
});

test.each([400, 401, 403, 500, 501, 595])('after %i nothing more is taken', async (status) => {
  const refusing: Serve = async () => ({ status, reason: 'no' });
  const all = (await conversation(refusing, get().repeat(3))).toString();
  expect(all.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test('an old client is answered once, unless it asks for more', async () => {
  const old = 'GET / HTTP/1.0\r\n\r\n';
  const keeping = 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n';
  expect([
    (await conversation(hello, old.repeat(2))).toString().match(/HTTP\/1\.0 200/g)?.length,
    (await conversation(hello, keeping.repeat(2))).toString().match(/HTTP\/1\.0 200/g)?.length,
  ]).toEqual([1, 2]);
});

test.each([
  ['PATCH', "501 method 'PATCH' not available"],
  ['HEAD', "501 method 'HEAD' not available"],
  ['BREW', "501 method 'BREW' not available"],
])('%s is no method, and the answer has no body', async (method, line) => {
  const { statusLine, headers, body } = parseAnswer(
    await conversation(hello, `${method} / HTTP/1.1\r\nHost: x\r\n\r\n`),
  );
  expect([statusLine, headers.map(([name]) => name).includes('Content-Length'), body]).toEqual([
    `HTTP/1.1 ${line}`,
    false,
    '',
  ]);
});

test.each([
  ['nonsense\r\n\r\n', 'HTTP/1.0 400 bad request'],
  ['GET / HTTP/2.0\r\n\r\n', 'HTTP/1.0 506 http protocol version 2.0 not supported'],
  ['GET / HTTP/1.1\r\n???\r\n\r\n', 'HTTP/1.0 506 unable to parse request header'],
])('%j is told what is wrong with it', async (bytes, line) => {
  expect(parseAnswer(await conversation(hello, bytes)).statusLine).toBe(line);
});

test.each([
  ['too many lines', get('X-A: b\r\n'.repeat(63))],
  ['too many bytes', get(`X-A: ${'b'.repeat(8200)}\r\n`)],
])('%s of headers are never answered, and the connection ends when nobody speaks any more', async (_, bytes) => {
  expect((await conversation(hello, bytes)).length).toBe(0);
});

test('62 lines of headers are answered', async () => {
  expect((await conversation(hello, get('X-A: b\r\n'.repeat(61)))).length).toBeGreaterThan(0);
});

test('who says nothing is not waited for', async () => {
  expect((await conversation(hello, '')).length).toBe(0);
});

test('long bodies are packed for whoever can unpack them', async () => {
  const text = 'x'.repeat(1025);
  const long: Serve = async () => ({ status: 200, reason: 'OK', body: text });
  const packed = async (accept: string): Promise<readonly [string | undefined, Buffer]> => {
    const all = await conversation(long, get(`Connection: close\r\nAccept-Encoding: ${accept}\r\n`));
    const { headers } = parseAnswer(all);
    return [headers.find(([name]) => name === 'Content-Encoding')?.[1], all.subarray(all.indexOf('\r\n\r\n') + 4)];
  };
  const [[gzip, zipped], [deflate, deflated], [none, plain]] = await Promise.all([
    packed('gzip, deflate'),
    packed('deflate'),
    packed('br'),
  ]);
  expect([
    gzip,
    gunzipSync(zipped).toString(),
    deflate,
    inflateSync(deflated).toString(),
    none,
    plain.toString(),
  ]).toEqual(['gzip', text, 'deflate', text, undefined, text]);
  expect(deflated).toEqual(deflateSync(text));
});

test('short bodies stay as they are', async () => {
  const { headers } = parseAnswer(await conversation(hello, get('Connection: close\r\nAccept-Encoding: gzip\r\n')));
  expect(headers.map(([name]) => name)).not.toContain('Content-Encoding');
});

test('a reason is one line of bytes', async () => {
  const many: Serve = async () => ({ status: 500, reason: 'größer\nand more', body: '' });
  expect(parseAnswer(await conversation(many, get())).statusLine).toBe('HTTP/1.1 500 größer');
});

test('who is answered while still sending can read the answer', async () => {
  const refusing: Serve = async () => ({ status: 501, reason: 'for data too large', body: 'for data too large' });
  const bytes = `POST / HTTP/1.1\r\nContent-Length: 3000000\r\n\r\n${'x'.repeat(3_000_000)}`;
  expect(parseAnswer(await conversation(refusing, bytes)).body).toBe('for data too large');
});

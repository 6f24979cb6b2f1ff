import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folder } from '../../../test/folder.ts';
import { collect, told } from '../../../test/talos/told.ts';
import type { LocalFile } from '../../model/file.ts';
import { imageFetcher, imageTrier } from './fetch.ts';

const signal = AbortSignal.timeout(60_000);
const content = Buffer.from('a Talos image\n'.repeat(10_000));
const checksum = { algorithm: 'sha256', hex: createHash('sha256').update(content).digest('hex') } as const;

/** A server on loopback that counts who comes. */
async function serve(answer: RequestListener): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const whole: RequestListener = (_, response) => void response.end(content);
const bytesOf = async (file: LocalFile): Promise<Buffer> => Buffer.concat(await collect(file.read()));

describe('an image', () => {
  test('is brought once, looked at, and read as often as needed', async () => {
    const { url, asked } = await serve(whole);
    const store = folder();
    const fetch = imageFetcher({ folder: join(store, 'images') });
    const wanted = { url: `${url}/talos.qcow2`, name: 'talos.qcow2', checksum };
    const file = await fetch(wanted, signal);
    expect(file.bytes).toBe(content.length);
    expect((await bytesOf(file)).equals(content)).toBe(true);
    expect((await bytesOf(file)).equals(content)).toBe(true);
    await fetch(wanted, signal);
    expect(asked).toEqual(['/talos.qcow2']);
    expect(await readdir(join(store, 'images'))).toEqual(['talos.qcow2']);
  });

  test('that several want at the same moment comes once', async () => {
    const { url, asked } = await serve(whole);
    const fetch = imageFetcher({ folder: folder() });
    const wanted = { url: `${url}/x`, name: 'x.qcow2', checksum };
    await Promise.all([fetch(wanted, signal), fetch(wanted, signal), fetch(wanted, signal)]);
    expect(asked.length).toBe(1);
  });

  test('that is here and damaged is brought again', async () => {
    const { url, asked } = await serve(whole);
    const store = folder();
    await writeFile(join(store, 'x.qcow2'), 'half of it');
    const file = await imageFetcher({ folder: store })({ url: `${url}/x`, name: 'x.qcow2', checksum }, signal);
    expect([asked.length, file.bytes]).toEqual([1, content.length]);
  });

  test('may be somewhere else than its address says', async () => {
    const { url, asked } = await serve((request, response) => {
      if (request.url === '/there') response.end(content);
      else response.writeHead(302, { location: '/there' }).end();
    });
    const file = await imageFetcher({ folder: folder() })(
      { url: `${url}/x?y`, name: 'x', checksum: undefined },
      signal,
    );
    expect([asked, file.bytes]).toEqual([['/x?y', '/there'], content.length]);
  });

  test('has a name that stays in its folder', async () => {
    const { url } = await serve(whole);
    const store = folder();
    await imageFetcher({ folder: store })({ url: `${url}/x`, name: '../../etc/x', checksum }, signal);
    expect(await readdir(store)).toEqual(['.._.._etc_x']);
  });
});

describe('what goes wrong is said, and nothing is left behind', () => {
  const failing = async (answer: RequestListener, query = '') => {
    const { url } = await serve(answer);
    const store = folder();
    const problem = await told(
      imageFetcher({ folder: store, silenceMs: 200 })({ url: `${url}/x.iso${query}`, name: 'x.iso', checksum }, signal),
    );
    return { ...problem, message: problem.message.replace(url, 'URL'), left: await readdir(store) };
  };

  test('another file than the checksum says', async () => {
    const other = createHash('sha256').update('something else').digest('hex');
    expect(await failing((_, response) => void response.end('something else'))).toEqual({
      code: 'image-checksum',
      recovery: 'ask',
      message: `URL/x.iso is another file than the checksum says: sha256 is ${other}, and ${checksum.hex} is wanted.`,
      left: [],
    });
  });

  test('no such file, and a server that is ill', async () => {
    expect(await failing((_, response) => void response.writeHead(404).end('no'), '?signature=secret')).toEqual({
      code: 'image-refused',
      recovery: 'ask',
      message: 'URL/x.iso?… answers with status 404, and not with a file.',
      left: [],
    });
    expect((await failing((_, response) => void response.writeHead(503).end())).recovery).toBe('retry');
  });

  test('half of a file', async () => {
    expect(
      await failing((_, response) => {
        response.writeHead(200, { 'content-length': content.length });
        response.write(content.subarray(0, 1000), () => response.destroy());
      }),
    ).toMatchObject({ code: 'image-cut-short', recovery: 'retry', left: [] });
  });

  test('a server that falls silent', async () => {
    const { code, message } = await failing(
      (_, response) => void response.writeHead(200, { 'content-length': 5 }).write('1'),
    );
    expect([code, message]).toEqual(['image-cut-short', 'URL/x.iso ended after 1 bytes of 5: it fell silent.']);
  });

  test('nobody there', async () => {
    const problem = told(
      imageFetcher({ folder: folder() })({ url: 'http://127.0.0.1:1/x', name: 'x', checksum }, signal),
    );
    expect(await problem).toEqual({
      code: 'image-unreachable',
      recovery: 'retry',
      message: 'http://127.0.0.1:1/x cannot be reached from this machine: nothing listens there.',
    });
  });
});

test('who gives up is heard, and nothing is left behind', async () => {
  const { url } = await serve((_, response) => void response.writeHead(200, { 'content-length': 5 }).write('1'));
  const store = folder();
  const stop = new AbortController();
  const fetched = imageFetcher({ folder: store })({ url, name: 'x', checksum }, stop.signal);
  setTimeout(() => stop.abort(new Error('enough')), 50);
  await expect(fetched).rejects.toThrow('enough');
  expect(await readdir(store)).toEqual([]);
  await expect(readFile(join(store, 'x'))).rejects.toThrow('ENOENT');
});

describe('whether a file could be brought', () => {
  const trying = (url: string, store = folder()) =>
    imageTrier({ folder: store, silenceMs: 200 })({ url, name: 'x.iso', checksum: undefined }, signal);

  test('is seen by its first byte, behind redirects, also where nobody knows ranges', async () => {
    const ranges: (string | undefined)[] = [];
    const { url } = await serve((request, response) => {
      ranges.push(request.headers.range);
      if (request.url === '/moved') response.writeHead(302, { location: '/x' }).end();
      else if (request.url === '/part') response.writeHead(206, { 'content-length': 1 }).end('a');
      else response.end(content);
    });
    for (const path of ['/x', '/part', '/moved']) await trying(`${url}${path}`);
    expect(new Set(ranges)).toEqual(new Set(['bytes=0-0']));
  });

  test('is not, when it is not there, or nobody is', async () => {
    const { url } = await serve((_, response) => void response.writeHead(404).end());
    expect((await told(trying(`${url}/x`))).code).toBe('image-refused');
    expect((await told(trying('http://127.0.0.1:1/x'))).code).toBe('image-unreachable');
  });

  test('needs nobody when it is here', async () => {
    const store = folder();
    await writeFile(join(store, 'x.iso'), 'here');
    await trying('http://127.0.0.1:1/x', store);
  });
});

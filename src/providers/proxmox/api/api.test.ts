import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { anApi, patience, token } from '../../../../test/proxmox/asking.ts';
import { aHost, answer, ok, refused } from '../../../../test/proxmox/scripted-host.ts';
import { told } from '../../../../test/talos/told.ts';
import { dialTcp } from '../../../clients/talos/tcp.ts';
import { KeptOpen } from './kept-open.ts';
import type { ApiProblem } from './problem.ts';

const signal = AbortSignal.timeout(60_000);
const version = { path: '/version', doing: 'tell its version' };
const start = { path: '/nodes/pve1/qemu/401/status/start', doing: 'start VM 401 on pve1' };

describe('what is sent', () => {
  test('parameters of a read are in the query, of a write in a form, and a DELETE has no body', async () => {
    await using host = await aHost(() => ok(null));
    await using api = anApi([host]);
    await api.get({ ...version, params: { full: true, vmid: 401, absent: undefined } }, signal);
    await api.write('POST', { ...start, params: { boot: 'order=scsi0;ide2', onboot: false } }, signal);
    await api.write('DELETE', { ...start, params: { purge: true } }, signal);
    expect(
      host.heard.map(({ method, path, body, headers }) => [method, path, body, headers['content-length']]),
    ).toEqual([
      ['GET', '/api2/json/version?full=1&vmid=401', '', undefined],
      ['POST', '/api2/json/nodes/pve1/qemu/401/status/start', 'boot=order%3Dscsi0%3Bide2&onboot=0', '34'],
      ['DELETE', '/api2/json/nodes/pve1/qemu/401/status/start?purge=1', '', undefined],
    ]);
    expect(host.heard.map(({ headers }) => headers['authorization'])).toEqual(Array(3).fill(`PVEAPIToken=${token}`));
    expect(host.heard.every(({ headers }) => headers['transfer-encoding'] === undefined)).toBe(true);
  });

  test('a file goes out with its length, fields before it, and not in chunks', async () => {
    await using host = await aHost(({ path }) => ok(path.endsWith('/nodes') ? [] : 'UPID'));
    await using api = anApi([host]);
    const content = {
      bytes: 11,
      read: async function* () {
        yield Buffer.from('hello ');
        yield Buffer.from('world');
      },
    };
    const { multipartOf } = await import('./multipart.ts');
    const parts = multipartOf('line', { content: 'iso' }, { field: 'filename', name: 'x.iso', content });
    await api.upload('pve1', { path: '/nodes/pve1/storage/local/upload', doing: 'upload' }, parts, signal);
    const sent = host.heard.at(-1);
    expect(sent?.headers['transfer-encoding']).toBeUndefined();
    expect(sent?.headers['content-length']).toBe(String(sent?.body.length));
    expect(sent?.body).toBe(
      '--line\r\nContent-Disposition: form-data; name="content"\r\n\r\niso\r\n' +
        '--line\r\nContent-Disposition: form-data; name="filename"; filename="x.iso"\r\nContent-Type: application/octet-stream\r\n\r\nhello world\r\n--line--\r\n',
    );
  });
});

describe('connections', () => {
  test('one is used again while the host keeps it, and never after a refusal', async () => {
    await using host = await aHost((_, index) => (index === 2 ? refused(500, 'no such thing') : ok(index)));
    await using api = anApi([host]);
    await api.get(version, signal);
    await api.get(version, signal);
    await told(api.get(version, signal));
    await api.get(version, signal);
    expect(host.heard.map(({ connection }) => connection)).toEqual([1, 1, 1, 2]);
  });

  test('two Connection headers, as the root daemon sends them, keep it open', async () => {
    await using host = await aHost((_, index) => ok(index, ['Connection: close', 'Connection: Keep-Alive']));
    await using api = anApi([host]);
    expect([await api.get(version, signal), await api.get(version, signal), await api.get(version, signal)]).toEqual([
      0, 1, 2,
    ]);
    expect(host.heard.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  test('a host that only says that it closes is not asked there again', async () => {
    await using host = await aHost((_, index) => ok(index, ['Connection: close']));
    await using api = anApi([host]);
    await api.get(version, signal);
    await api.get(version, signal);
    expect(host.heard.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test('an answer that comes in small pieces is the same answer', async () => {
    const kept = new KeptOpen(new PassThrough());
    const whole = 'HTTP/1.1 200 OK\r\nConnection: close\r\nConnection: Keep-Alive\r\nContent-Length: 4\r\n\r\nyes!';
    kept.expectAnswer();
    for (const sign of whole) kept.write(sign);
    kept.end();
    const chunks = await kept.toArray();
    expect(Buffer.concat(chunks as Buffer[]).toString()).toBe(
      'HTTP/1.1 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 4\r\n\r\nyes!',
    );
  });

  test('three requests at a time for one host, while another is not kept waiting', async () => {
    let inside = 0;
    let most = 0;
    await using host = await aHost(({ path }) => (path.includes('pve2') ? ok('two') : 'hang'));
    await using api = anApi([host], {
      tools: patience({
        connect: async (target, until) => {
          most = Math.max(most, ++inside);
          return dialTcp(target, until);
        },
        deadlines: { answer: 300 },
      }),
    });
    const slow = Array.from({ length: 5 }, () => told(api.write('POST', start, signal)));
    expect(await api.get({ path: '/nodes/pve2/qemu', doing: 'list the VMs of pve2' }, signal)).toBe('two');
    expect(host.heard.filter(({ path }) => path.includes('pve1')).length).toBeLessThanOrEqual(3);
    expect((await Promise.all(slow)).map(({ code }) => code)).toEqual(Array(5).fill('proxmox-lost-answer'));
    expect(host.heard.filter(({ path }) => path.includes('pve1')).length).toBe(5);
    expect(most).toBeLessThanOrEqual(6);
  });
});

describe('several endpoints', () => {
  test('when one is down the next is asked, and asked first from then on', async () => {
    await using gone = await aHost(() => 'close');
    await using other = await aHost(() => ok('there'));
    await using api = anApi([gone, other]);
    await gone[Symbol.asyncDispose]();
    expect(await api.write('POST', start, signal)).toBe('there');
    expect(await api.get(version, signal)).toBe('there');
    expect(other.heard.length).toBe(2);
  });

  test('many requests at once that meet a dead one all find the next', async () => {
    await using gone = await aHost(() => 'close');
    await using other = await aHost(() => ok('there'));
    await using api = anApi([gone, other]);
    await gone[Symbol.asyncDispose]();
    const asked = Array.from({ length: 6 }, (_, index) =>
      api.write('POST', { ...start, path: `/nodes/pve${index}/qemu/401/status/start` }, signal),
    );
    expect(await Promise.all(asked)).toEqual(Array(6).fill('there'));
  });

  test('a write that may have happened is not sent to the next one', async () => {
    await using first = await aHost(() => 'close');
    await using second = await aHost(() => ok('done'));
    await using api = anApi([first, second]);
    expect(await told(api.write('POST', start, signal))).toEqual({
      code: 'proxmox-lost-answer',
      recovery: 'retry',
      message: `127.0.0.1:${first.port} was asked to start VM 401 on pve1, and no answer came: the connection was lost.`,
    });
    expect(second.heard).toEqual([]);
  });

  test('a read whose answer got lost is asked again, elsewhere', async () => {
    await using first = await aHost(() => 'close');
    await using second = await aHost(() => ok('read'));
    await using api = anApi([first, second]);
    expect(await api.get(version, signal)).toBe('read');
    expect([first.heard.length, second.heard.length]).toEqual([1, 1]);
  });

  test('595 has not been carried out, so another one may be asked', async () => {
    await using first = await aHost(() => answer('595 No route to host', ''));
    await using second = await aHost(() => ok('done'));
    await using api = anApi([first, second]);
    expect(await api.write('POST', start, signal)).toBe('done');
  });

  test('when all are down, it is said of each', async () => {
    await using one = await aHost(() => 'close');
    await using two = await aHost(() => 'close');
    await using api = anApi([one, two]);
    await Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()]);
    expect((await told(api.write('POST', start, signal))).message).toBe(
      [
        'No endpoint could be asked to start VM 401 on pve1:',
        `    127.0.0.1:${one.port} could not be asked to start VM 401 on pve1: nothing listens there.`,
        `    127.0.0.1:${two.port} could not be asked to start VM 401 on pve1: nothing listens there.`,
      ].join('\n'),
    );
  });
});

describe('what became of it', () => {
  const fateOf = async (status: string): Promise<unknown> => {
    await using host = await aHost(() => answer(status, ''));
    await using api = anApi([host]);
    const problem = await api.write('POST', start, signal).catch((error: ApiProblem) => error);
    return (problem as ApiProblem).fate;
  };

  test.each([
    ['400 Parameter verification failed.', 'refused'],
    ['403 Permission check failed', 'refused'],
    ['500 VM is locked (backup)', 'refused'],
    ['500 got no worker upid - start worker failed', 'unknown'],
    ['595 Connection refused', 'not done'],
    ['596 Connection timed out', 'unknown'],
    ['597 Broken pipe', 'unknown'],
    ['599 Too many redirections', 'unknown'],
  ])('%s: %s', async (status, fate) => {
    expect(await fateOf(status)).toBe(fate);
  });

  test('an answer that does not come in time may have been carried out', async () => {
    await using host = await aHost(() => 'hang');
    await using api = anApi([host], { tools: patience({ deadlines: { answer: 50 } }) });
    const problem = await api.write('POST', start, signal).catch((error: ApiProblem) => error);
    expect(problem).toMatchObject({ fate: 'unknown', message: expect.stringContaining('it took too long') as string });
  });

  test('a read is given up after five attempts, each later than the one before', async () => {
    await using host = await aHost(() => answer('596 Connection timed out', ''));
    const tools = patience();
    await using api = anApi([host], { tools });
    await told(api.get(version, signal));
    expect(host.heard.length).toBe(5);
    expect(tools.paused).toEqual([300, 600, 1200, 2400]);
  });

  test('who gives up is heard at once', async () => {
    await using host = await aHost(() => 'hang');
    await using api = anApi([host]);
    const stop = new AbortController();
    const asked = api.get(version, stop.signal);
    setTimeout(() => stop.abort(new Error('enough')), 20);
    await expect(asked).rejects.toThrow('enough');
  });
});

test('the clock of the hosts is read from what they answer', async () => {
  await using host = await aHost(() => ok(1, ['Date: Mon, 16 Nov 2026 12:02:00 GMT']));
  await using api = anApi([host]);
  await api.get(version, signal);
  expect(api.skewMs).toBe(120_000);
});

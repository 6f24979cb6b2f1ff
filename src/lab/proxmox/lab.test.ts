import { connect } from 'node:tls';
import type { SecureVersion } from 'node:tls';
import { expect, test } from 'vitest';
import { exchange } from '../../../test/lab/exchange.ts';
import { asking, told } from '../../../test/lab/proxmox.ts';
import type { Told } from '../../../test/lab/proxmox.ts';
import { virtualClock, wallClock } from '../clock.ts';
import { startProxmoxLab } from './lab.ts';
import type { ProxmoxLab } from './twin.ts';

const quick = { addresses: 'mapped', clock: wallClock(60) } as const;
const line = ({ status, reason }: Told): string => `${status} ${reason}`;

const handshake = (lab: ProxmoxLab, version: SecureVersion): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL([...lab.endpoints.values()][0] ?? '');
    const socket = connect({
      host: hostname,
      port: Number(port),
      ca: lab.ca,
      servername: '',
      minVersion: version,
      maxVersion: version,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    socket.once('secureConnect', () => {
      const { fingerprint256 } = socket.getPeerCertificate();
      resolve(`${socket.getProtocol()} ${String(socket.alpnProtocol)} ${fingerprint256 === lab.fingerprint('pve1')}`);
      socket.destroy();
    });
    socket.once('error', () => resolve('refused'));
  });

test('every host has a certificate of the cluster’s authority', async () => {
  await using lab = await startProxmoxLab({ ...quick, hosts: 2 });
  const ask = asking(lab);
  expect([
    line(await ask('GET /version', { on: 'pve1' })),
    line(await ask('GET /version', { on: 'pve2' })),
    lab.fingerprint('pve1') === lab.fingerprint('pve2'),
  ]).toEqual(['200 OK', '200 OK', false]);
});

test('TLS is new enough, and nothing but HTTP/1.1 is spoken', async () => {
  await using lab = await startProxmoxLab(quick);
  const versions: readonly SecureVersion[] = ['TLSv1.1', 'TLSv1.2', 'TLSv1.3'];
  expect(await Promise.all(versions.map((version) => handshake(lab, version)))).toEqual([
    'refused',
    'TLSv1.2 false true',
    'TLSv1.3 false true',
  ]);
});

test('who speaks plainly is told where to go', async () => {
  await using lab = await startProxmoxLab(quick);
  const [endpoint = ''] = lab.endpoints.values();
  const plain = async (method: string): Promise<unknown> => {
    const { statusLine, headers, body } = await exchange(
      endpoint,
      lab.ca,
      `${method} /api2/json/version?a=b HTTP/1.1\r\nHost: h:8006\r\nConnection: close\r\n\r\n`,
      true,
    );
    return [statusLine, headers.find(([name]) => name === 'Location')?.[1], body];
  };
  expect([await plain('GET'), await plain('POST')]).toEqual([
    ['HTTP/1.1 301 Moved Permanently', 'https://h:8006/api2/json/version?a=b', 'Moved Permanently'],
    ['HTTP/1.1 308 Permanent Redirect', 'https://h:8006/api2/json/version?a=b', 'Permanent Redirect'],
  ]);
});

test('what another host does is told by the one that was asked, if it can', async () => {
  await using lab = await startProxmoxLab({ ...quick, hosts: 3 });
  const ask = asking(lab);
  const other = async (): Promise<readonly [string, unknown]> => {
    const answer = await ask('GET /nodes/pve2/version', { on: 'pve1' });
    return [line(answer), answer.status === 200 ? '' : answer.body];
  };
  const seen: unknown[] = [await other()];
  for (const state of ['dead', 'up', 'frozen', 'up', 'cut off', 'up'] as const) {
    lab.setHost('pve2', state);
    seen.push([state, ...(await other())]);
  }
  expect(seen).toEqual([
    ['200 OK', ''],
    ['dead', '595 No route to host', ''],
    ['up', '200 OK', ''],
    ['frozen', '596 Connection timed out', ''],
    ['up', '200 OK', ''],
    ['cut off', '595 No route to host', ''],
    ['up', '200 OK', ''],
  ]);
});

test('a host that dies while others wait for it does nothing more', async () => {
  await using lab = await startProxmoxLab({ ...quick, hosts: 3 });
  const ask = asking(lab);
  lab.setHost('pve2', 'frozen');
  const waiting = ask('GET /nodes/pve2/version', { on: 'pve1' });
  await expect.poll(() => ask('GET /version', { on: 'pve1' }).then(line)).toBe('200 OK');
  lab.setHost('pve2', 'dead');
  expect(line(await waiting)).toBe('596 Broken pipe');
});

test('a dead host refuses connections, and takes them again when it is back', async () => {
  await using lab = await startProxmoxLab({ ...quick, hosts: 2 });
  const ask = asking(lab);
  lab.setHost('pve2', 'dead');
  await expect(ask('GET /version', { on: 'pve2' })).rejects.toThrow('ECONNREFUSED');
  lab.setHost('pve2', 'up');
  await expect.poll(async () => line(await ask('GET /version', { on: 'pve2' }))).toBe('200 OK');
});

test('a frozen host answers when it wakes up', async () => {
  await using lab = await startProxmoxLab(quick);
  const ask = asking(lab);
  lab.setHost('pve1', 'frozen');
  const answer = ask('GET /version');
  const first = await Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 60, 'nothing'))]);
  lab.setHost('pve1', 'up');
  expect([first, line(await answer)]).toEqual(['nothing', '200 OK']);
});

test('the log knows who asked for what, and no secret', async () => {
  await using lab = await startProxmoxLab({ ...quick, hosts: 2 });
  const ask = asking(lab);
  const { username, password } = lab.password;
  await ask('GET /nodes?_dc=1', { on: 'pve2' });
  await ask('POST /access/ticket', { headers: [], form: { username, password } });
  await ask('GET /cluster/status', { headers: ['Authorization: PVEAPIToken=root@pam!asking=guess'] });
  expect(lab.requests().map(({ host, method, path, who, status }) => ({ host, method, path, who, status }))).toEqual([
    { host: 'pve2', method: 'GET', path: '/nodes', who: 'root@pam!asking', status: 200 },
    { host: 'pve1', method: 'POST', path: '/access/ticket', who: '', status: 200 },
    { host: 'pve1', method: 'GET', path: '/cluster/status', who: '', status: 401 },
  ]);
  expect(JSON.stringify(lab.requests())).not.toContain(password);
});

test('faults strike on the way in, on the way out, or in between', async () => {
  await using lab = await startProxmoxLab(quick);
  const ask = asking(lab);
  const create = async (poolid: string): Promise<string> =>
    await ask('POST /pools', { form: { poolid } }).then(
      (answer) => (answer.status === 0 ? 'nothing' : line(answer)),
      () => 'nothing',
    );
  lab.fail({ kind: 'lose-request', match: 'POST /pools', times: 1 });
  const lostRequest = await create('a');
  lab.fail({ kind: 'lose-answer', match: 'POST /pools', times: 1 });
  const lostAnswer = await create('b');
  lab.fail({ kind: 'refuse', match: 'POST /pools', times: 1, status: 595, reason: 'Connection refused' });
  const refused = await create('c');
  lab.fail({ kind: 'refuse-and-do', match: 'POST /pools', times: 1, status: 596, reason: 'Connection timed out' });
  const done = await create('d');
  lab.fail({ kind: 'refuse', match: 'POST /pools', share: 1, status: 500, reason: 'got no worker upid' });
  lab.heal();
  const { body } = await ask('GET /pools');
  expect([lostRequest, lostAnswer, refused, done, await create('e'), body]).toEqual([
    'nothing',
    'nothing',
    '595 Connection refused',
    '596 Connection timed out',
    '200 OK',
    { data: [{ poolid: 'b' }, { poolid: 'd' }] },
  ]);
});

test('who is not known waits three seconds of the lab’s time', async () => {
  const start = new Date('2026-11-17T00:00:00Z');
  const clock = virtualClock(start);
  await using lab = await startProxmoxLab({ addresses: 'mapped', clock });
  const ask = asking(lab);
  let heard: Told | undefined;
  const asked = ask('GET /version', { headers: [] }).then((answer) => {
    heard = answer;
  });
  while (lab.requests().length === 0) await clock.advance(50);
  const waited = clock.now().getTime() - start.getTime();
  await asked;
  expect([waited >= 3000, heard === undefined ? '' : line(heard)]).toEqual([true, '401 No ticket']);
});

test('an older Proxmox says what was wrong, and has other privileges', async () => {
  await using lab = await startProxmoxLab({ ...quick, version: '8.4' });
  const ask = asking(lab);
  const by = async (credentials: string): Promise<string> =>
    line(await ask('GET /version', { headers: [`Authorization: PVEAPIToken=${credentials}`] }));
  expect([
    await by('root@pam!asking=guess'),
    await by('root@pam!other=guess'),
    await by('eva@pve!other=guess'),
    line(await ask('GET /version', { headers: ['Cookie: PVEAuthCookie=x'] })),
    line(await ask('POST /access/roles', { form: { roleid: 'Agent', privs: 'VM.Monitor' } })),
    (await ask('POST /access/roles', { form: { roleid: 'Other', privs: 'VM.GuestAgent.Audit' } })).body,
    line(await ask('GET /cluster/ha/rules')),
  ]).toEqual([
    '401 invalid token value!',
    "401 no such token 'other' for user 'root@pam'",
    "401 no such user ('eva@pve')",
    '401 permission denied - invalid PVE ticket',
    '200 OK',
    {
      data: null,
      message: 'Parameter verification failed.\n',
      errors: { privs: "invalid format - invalid privilege 'VM.GuestAgent.Audit'\n" },
    },
    "501 Method 'GET /cluster/ha/rules' not implemented",
  ]);
});

test('latency is the wall’s', async () => {
  await using lab = await startProxmoxLab({ ...quick, latencyMs: 80 });
  const ask = asking(lab);
  const started = performance.now();
  await ask('GET /version');
  expect(performance.now() - started).toBeGreaterThan(75);
});

test('an upload is read as it comes', async () => {
  await using lab = await startProxmoxLab({
    ...quick,
    storages: [{ id: 'local', type: 'dir', content: ['iso'] }],
  });
  const [endpoint = ''] = lab.endpoints.values();
  const body = [
    '--sep',
    'Content-Disposition: form-data; name="content"',
    '',
    'iso',
    '--sep',
    'Content-Disposition: form-data; name="filename"; filename="some file.iso"',
    'Content-Type: application/octet-stream',
    '',
    'x'.repeat(5_000_000),
    '--sep--',
    '',
  ].join('\r\n');
  const upload = async (token: string): Promise<Told> =>
    told(
      await exchange(
        endpoint,
        lab.ca,
        [
          'POST /api2/json/nodes/pve1/storage/local/upload HTTP/1.1',
          'Host: x',
          `Authorization: PVEAPIToken=${token}`,
          'Content-Type: multipart/form-data; boundary=sep',
          `Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n'),
      ),
    );
  const ask = asking(lab);
  await ask('POST /access/users', { form: { userid: 'eva@pve' } });
  const { body: made } = await ask('POST /access/users/eva@pve/token/robot', { form: {} });
  const { value } = (made as { data: { value: string } }).data;
  const [refused, done] = [await upload(`eva@pve!robot=${value}`), await upload(lab.token('up'))];
  expect([line(refused), refused.body, line(done), (done.body as { data: string }).data.split(':')[5]]).toEqual([
    '403 Permission check failed (/storage/local, Datastore.AllocateTemplate)',
    '',
    '200 OK',
    'imgcopy',
  ]);
  await expect
    .poll(async () => (await ask('GET /nodes/pve1/storage/local/content')).body)
    .toMatchObject({ data: [{ volid: 'local:iso/some_file.iso', size: 5_000_000 }] });
});

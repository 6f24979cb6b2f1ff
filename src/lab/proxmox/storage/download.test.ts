import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aDatacenter, type DoorlessDatacenter } from '../../../../test/proxmox-datacenter.ts';
import { startImageFactory, type ImageFactory } from '../../factory/factory.ts';
import { readTalosMarker } from '../../factory/marker.ts';
import { makeAuthority } from '../../pki/authority.ts';
import { issuerOf, issueWithKey } from '../../pki/issue.ts';

const call = 'POST /nodes/{node}/storage/{storage}/download-url';
const local = { node: 'pve1', storage: 'local' };
const plain = '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba';
const iso = Buffer.alloc(300_000, 'iso ');
const sha256 = createHash('sha256').update(iso).digest('hex');

function qcow2(backing: boolean): Buffer {
  const image = Buffer.alloc(2000);
  image.write('QFI\u00fb', 0, 'latin1');
  image.writeUInt32BE(3, 4);
  image.writeBigUInt64BE(backing ? 112n : 0n, 8);
  image.writeBigUInt64BE(64n * 1024n * 1024n, 24);
  return image;
}

const files: Readonly<Record<string, Buffer>> = {
  '/small.iso': iso,
  '/small.iso.gz': gzipSync(iso),
  '/disk.qcow2': qcow2(false),
  '/backed.qcow2': qcow2(true),
};

const serve: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://origin');
  const file = files[pathname];
  if (pathname === '/named') {
    response.writeHead(200, {
      'content-disposition': 'attachment; filename="talos.iso"',
      'content-type': 'text/x; charset=utf-8',
    });
    response.end('x');
  } else if (pathname === '/around') response.writeHead(302, { location: '/around' }).end();
  else if (pathname === '/redir') response.writeHead(302, { location: '/small.iso?here=1' }).end();
  else if (pathname === '/stuck') response.writeHead(200, { 'content-length': 5000 }).write('x');
  else if (pathname === '/cut') {
    response.writeHead(200, { 'content-length': 5000 });
    response.write('x', () => response.destroy());
  } else if (file === undefined) response.writeHead(404, 'File not found').end();
  else response.writeHead(200, { 'content-length': file.length, 'content-type': 'application/x-test' }).end(file);
};

const day = 86_400_000;
const validity = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) };
const authority = makeAuthority({ commonName: 'nobody' }, validity);
const certificate = (host: string, valid = validity): { cert: string; key: string } => {
  const { crt, key } = issueWithKey(issuerOf(authority.crt, authority.key), {
    subject: { commonName: host },
    hosts: [host],
    usage: ['digitalSignature'],
    purposes: ['server'],
    ...valid,
  });
  return { cert: crt, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
};

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));

const web = createServer(serve);
const secure = createSecureServer(certificate('127.0.0.1'), serve);
const otherName = createSecureServer(certificate('elsewhere.example'), serve);
const old = { notBefore: new Date(Date.now() - 3 * day), notAfter: new Date(Date.now() - 2 * day) };
const expired = createSecureServer(certificate('127.0.0.1', old), serve);
const servers = [web, secure, otherName, expired];
let factory: ImageFactory;
let origin = '';

beforeAll(async () => {
  await Promise.all(servers.map(listening));
  origin = `http://127.0.0.1:${portOf(web)}`;
  factory = await startImageFactory();
});
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await factory[Symbol.asyncDispose]();
});

const download = (
  lab: DoorlessDatacenter,
  path: string,
  filename: string,
  rest: Record<string, string | number> = {},
) =>
  lab.task(call, {
    ...local,
    content: filename.endsWith('.iso') ? 'iso' : 'import',
    filename,
    url: path.startsWith('/') ? origin + path : path,
    ...rest,
  });
const volumes = (lab: DoorlessDatacenter) => {
  const { storages } = lab.datacenter;
  return storages.spaceOf({ name: 'pve1' }, storages.definition('local')).volumes;
};

describe('a download', () => {
  test('brings the file, and says how', async () => {
    using lab = aDatacenter();
    const { log, exit, id } = await download(lab, '/small.iso', 'talos.iso', {
      checksum: sha256.toUpperCase(),
      'checksum-algorithm': 'sha256',
    });
    const path = '/var/lib/vz/template/iso/talos.iso';
    const temporary = expect.stringMatching(
      /^Saving to: '\/var\/lib\/vz\/template\/iso\/talos\.iso\.tmp_dwnl\.[1-9]\d*'$/,
    ) as unknown;
    expect([id, exit]).toEqual(['talos.iso', 'OK']);
    expect(log).toEqual([
      `downloading ${origin}/small.iso to ${path}`,
      expect.stringMatching(new RegExp(`^--2026-11-15 \\d\\d:\\d\\d:\\d\\d--  ${origin}/small.iso$`)),
      `Connecting to 127.0.0.1:${portOf(web)}... connected.`,
      'HTTP request sent, awaiting response... 200 OK',
      'Length: 300000 (293K) [application/x-test]',
      temporary,
      expect.stringMatching(/^ {5}0K {36}100% +[\d.]+[KMG]=[\d.]+s$/),
      expect.stringMatching(
        /^2026-11-1\d \d\d:\d\d:\d\d \([\d.]+ [KMG]B\/s\) - '.*tmp_dwnl\.\d+' saved \[300000\/300000\]$/,
      ),
      'calculating checksum...OK, checksum verified',
      `download of '${origin}/small.iso' to '${path}' finished`,
      'TASK OK',
    ]);
    const volume = volumes(lab).get('iso/talos.iso');
    expect(volume).toMatchObject({
      bytes: 300_032,
      fileBytes: 300_000,
      content: 'iso',
      written: { fileName: 'talos.iso' },
    });
    expect(volume?.written.head).toEqual(iso);
  });

  test('of a Talos image can be recognised, and has its declared size', async () => {
    using lab = aDatacenter();
    await download(lab, `${factory.url}/image/${plain}/v1.13.9/nocloud-amd64.qcow2`, 'talos.qcow2');
    const volume = volumes(lab).get('import/talos.qcow2');
    expect(readTalosMarker(volume?.written.head ?? new Uint8Array())).toMatchObject({
      version: 'v1.13.9',
      platform: 'nocloud',
    });
    expect(volume?.bytes).toBe(1246 * 1024 * 1024);
  });

  test('follows where it is led, but not for ever', async () => {
    using lab = aDatacenter();
    const { log, exit } = await download(lab, '/redir', 'redir.iso');
    expect(exit).toBe('OK');
    expect(log).toContain('HTTP request sent, awaiting response... 302 Found');
    expect(log).toContain('Location: /small.iso?here=1 [following]');
    expect((await download(lab, '/around', 'around.iso')).exit).toBe('download failed: 20 redirections exceeded.');
  });

  test('unpacks media, and nothing else', async () => {
    using lab = aDatacenter();
    const { exit, log } = await download(lab, '/small.iso.gz', 'unpacked.iso', { compression: 'gz' });
    expect(exit).toBe('OK');
    expect(log.find((line) => line.startsWith('decompressing '))).toMatch(
      /unpacked\.iso\.tmp_dwnl\.\d+ to .*tmp_dcom\.\d+$/,
    );
    expect(volumes(lab).get('iso/unpacked.iso')).toMatchObject({ fileBytes: 300_000 });
    const zst = `${factory.url}/image/${plain}/v1.13.9/nocloud-amd64.raw.zst`;
    expect((await download(lab, zst, 'raw.iso', { compression: 'zst' })).exit).toBe('OK');
    expect(volumes(lab).get('iso/raw.iso')).toMatchObject({ fileBytes: 4 * 1024 * 1024 });
    expect((await download(lab, '/disk.qcow2', 'x.qcow2', { compression: 'gz' })).exit).toBe(
      'decompression not supported for import',
    );
  });

  test('takes time of the lab for its bytes', async () => {
    using lab = aDatacenter({ durations: { downloadPerGiB: 1e9 } });
    const before = lab.clock.now().getTime();
    await download(lab, '/small.iso', 'slow.iso');
    expect(lab.clock.now().getTime() - before).toBeGreaterThan((1e9 * 300_000) / 1024 ** 3);
  });

  test('that is aborted leaves nothing', async () => {
    using lab = aDatacenter();
    const upid = await lab.ask(call, { ...local, content: 'iso', filename: 'stuck.iso', url: `${origin}/stuck` });
    const task = lab.datacenter.hosts.get('pve1')?.tasks.find((each) => each.upid === upid);
    while (task?.log.some((line) => line.startsWith('Saving to')) !== true) await lab.clock.advance(10);
    task.abort();
    await task.ended;
    expect([task.exit, volumes(lab).size]).toEqual(['download failed: received interrupt', 0]);
  });
});

describe('a file that is there already', () => {
  test('is kept where it is the right one, and else stands in the way', async () => {
    using lab = aDatacenter();
    await download(lab, '/small.iso', 'talos.iso');
    const path = '/var/lib/vz/template/iso/talos.iso';
    const right = { checksum: sha256, 'checksum-algorithm': 'sha256' };
    const again = await download(lab, '/nowhere', 'talos.iso', right);
    expect([again.exit, again.log[1]]).toEqual([
      'OK',
      'calculating checksum of existing file...OK, got correct file already, no need to download',
    ]);
    expect((await download(lab, '/small.iso', 'talos.iso')).exit).toBe(`refusing to override existing file '${path}'`);
    const zeros = '0'.repeat(64);
    expect((await download(lab, '/small.iso', 'talos.iso', { ...right, checksum: zeros })).exit).toBe(
      `checksum mismatch: got '${sha256}' != expect '${zeros}', aborting`,
    );
    expect((await download(lab, '/small.iso', 'new.iso', { ...right, checksum: zeros })).exit).toBe(
      `checksum mismatch: got '${sha256}' != expect '${zeros}'`,
    );
    expect([...volumes(lab).keys()]).toEqual(['iso/talos.iso']);
  });

  test('every algorithm knows it', async () => {
    using lab = aDatacenter();
    await download(lab, '/small.iso', 'talos.iso');
    for (const algorithm of ['md5', 'sha1', 'sha224', 'sha384', 'sha512']) {
      const checksum = createHash(algorithm).update(iso).digest('hex');
      const again = await download(lab, '/small.iso', 'talos.iso', { checksum, 'checksum-algorithm': algorithm });
      expect(again.exit).toBe('OK');
    }
  });

  test('two at once both go through', async () => {
    using lab = aDatacenter();
    const both = await Promise.all([download(lab, '/small.iso', 'x.iso'), download(lab, '/small.iso', 'x.iso')]);
    expect(both.map(({ exit }) => exit)).toEqual(['OK', 'OK']);
  });
});

describe('what goes wrong', () => {
  test('on the way ends the task with the words of whoever fetches', async () => {
    using lab = aDatacenter();
    const exits = await Promise.all([
      download(lab, '/nosuch.iso', 'a.iso'),
      download(lab, 'http://127.0.0.1:9/x.iso', 'b.iso'),
      download(lab, 'http://nosuch.invalid/x.iso', 'c.iso'),
      download(lab, '/cut', 'd.iso'),
    ]);
    expect(exits.map(({ exit }) => exit)).toEqual([
      'download failed: exit code 8',
      'download failed: Connecting to 127.0.0.1:9... failed: Connection refused.',
      "download failed: wget: unable to resolve host address 'nosuch.invalid'",
      'download failed: exit code 4',
    ]);
    expect(exits[0]?.log.at(-2)).toMatch(/^2026-11-1\d \d\d:\d\d:\d\d ERROR 404: File not found\.$/);
    expect(volumes(lab).size).toBe(0);
  });

  test('with certificates is told, and can be overlooked', async () => {
    using lab = aDatacenter({ trust: [authority.crt] });
    using distrustful = aDatacenter();
    const at = (server: Server): string => `https://127.0.0.1:${portOf(server)}/small.iso`;
    expect((await download(lab, at(secure), 'a.iso')).exit).toBe('OK');
    expect((await download(distrustful, at(secure), 'a.iso')).exit).toBe(
      "download failed: ERROR: The certificate of '127.0.0.1' doesn't have a known issuer.",
    );
    expect((await download(lab, at(otherName), 'b.iso')).exit).toBe(
      "download failed: The certificate's owner does not match hostname '127.0.0.1'",
    );
    expect((await download(lab, at(expired), 'c.iso')).exit).toBe(
      "download failed: ERROR: The certificate of '127.0.0.1' has expired.",
    );
    const both = await download(distrustful, at(otherName), 'd.iso');
    expect(both.log.slice(2, 5)).toEqual([
      expect.stringMatching(/^Connecting to 127\.0\.0\.1:\d+\.\.\. connected\.$/),
      "ERROR: The certificate of '127.0.0.1' is not trusted.",
      "ERROR: The certificate of '127.0.0.1' doesn't have a known issuer.",
    ]);
    const anyway = await download(distrustful, at(otherName), 'd.iso', { 'verify-certificates': 0 });
    expect(anyway.exit).toBe('OK');
    expect(anyway.log).toContain("WARNING: The certificate of '127.0.0.1' is not trusted.");
  });

  test('with the file itself is found before it is kept', async () => {
    using lab = aDatacenter();
    const exitOf = async (path: string, name: string) =>
      (await download(lab, path, name)).exit?.replace(/tmp_dwnl\.\d+/, 'tmp_dwnl.N');
    const at = '/var/lib/vz/import';
    expect(await exitOf('/small.iso', 'fake.qcow2')).toBe(
      `failed to verify file: qemu-img: Could not open '${at}/fake.qcow2.tmp_dwnl.N': Image is not in qcow2 format`,
    );
    expect(await exitOf('/backed.qcow2', 'backed.qcow2')).toBe(
      `failed to verify file: backing file not allowed for untrusted image '${at}/backed.qcow2.tmp_dwnl.N'!`,
    );
    expect(await exitOf('/small.iso', 'fake.vmdk')).toMatch('Image is not in vmdk format');
    expect(await exitOf('/small.iso', 'fake.ova')).toMatch('failed: exit code 2');
    expect(await exitOf('/backed.qcow2', 'sly.iso')).toMatch('backing file not allowed');
    expect(volumes(lab).size).toBe(0);
  });

  test('where there is no room', async () => {
    using lab = aDatacenter();
    lab.datacenter.storages.fill('local', 200_000 / 1024 ** 3);
    expect((await download(lab, '/small.iso', 'big.iso')).exit).toMatch(
      /^download failed: Cannot write to '.*big\.iso\.tmp_dwnl\.\d+' \(No space left on device\)\.$/,
    );
  });
});

describe('refused at once', () => {
  test.each([
    [{ ...local, content: 'iso', filename: 'y.txt' }, 'filename: wrong file extension'],
    [{ ...local, content: 'vztmpl', filename: 'y.iso' }, 'filename: wrong file extension'],
    [{ ...local, content: 'import', filename: 'y.raw.xz' }, 'filename: invalid filename or wrong extension'],
    [{ ...local, storage: 'no', content: 'iso', filename: 'y.iso' }, "storage 'no' does not exist"],
    [
      { ...local, storage: 'local-lvm', content: 'iso', filename: 'y.iso' },
      "can't upload to storage type 'lvmthin', not a file based storage!",
    ],
    [
      { ...local, storage: 'own', content: 'iso', filename: 'y.iso' },
      "storage 'own' is not configured for content-type 'iso'",
    ],
  ])('%j', async (params, words) => {
    using lab = aDatacenter();
    lab.datacenter.storages.definitions.set('own', {
      id: 'own',
      type: 'dir',
      properties: new Map([['content', 'images']]),
    });
    expect(await lab.refused(call, { ...params, url: `${origin}/small.iso` })).toBe(words);
  });

  test('folders in a name are cut off, and odd signs replaced', async () => {
    using lab = aDatacenter();
    expect((await download(lab, '/small.iso', '../x/a b&ü.iso')).id).toBe('a_b__.iso');
    expect([...volumes(lab).keys()]).toEqual(['iso/a_b__.iso']);
  });
});

describe('an upload', () => {
  const upload = (lab: DoorlessDatacenter, fileName: string, bytes: Buffer, rest: Record<string, string> = {}) =>
    lab.task(
      'POST /nodes/{node}/storage/{storage}/upload',
      { ...local, content: fileName.endsWith('.iso') ? 'iso' : 'import', ...rest },
      {
        upload: {
          fileName,
          bytes: bytes.length,
          head: bytes,
          digests: { sha256: createHash('sha256').update(bytes).digest('hex') },
        },
      },
    );

  test('is copied into its place, over whatever was there', async () => {
    using lab = aDatacenter();
    await upload(lab, 'up.iso', Buffer.alloc(10));
    const { type, id, exit, log } = await upload(lab, 'a b.iso', iso, {
      checksum: sha256,
      'checksum-algorithm': 'sha256',
    });
    expect([type, id, exit]).toEqual(['imgcopy', '', 'OK']);
    expect(log.map((line) => line.replace(/pveupload-[0-9a-f]{32}/, 'pveupload-ID'))).toEqual([
      'starting file import from: /var/tmp/pveupload-ID',
      'calculating checksum...OK, checksum verified',
      'target node: pve1',
      'target file: /var/lib/vz/template/iso/a_b.iso',
      'file size is: 300000',
      'command: cp -- /var/tmp/pveupload-ID /var/lib/vz/template/iso/a_b.iso',
      'finished file import successfully',
      'TASK OK',
    ]);
    await upload(lab, 'up.iso', iso);
    expect(volumes(lab).get('iso/up.iso')).toMatchObject({ fileBytes: 300_000 });
  });

  test('is looked at first', async () => {
    using lab = aDatacenter();
    const zeros = '0'.repeat(64);
    const wrong = await upload(lab, 'x.iso', iso, { checksum: zeros, 'checksum-algorithm': 'sha256' });
    expect(wrong.exit).toBe(`checksum mismatch: got '${sha256}' != expect '${zeros}'`);
    expect((await upload(lab, 'x.qcow2', iso)).exit).toMatch(
      /^qemu-img: Could not open '\/var\/tmp\/pveupload-[0-9a-f]{32}': Image is not in qcow2 format$/,
    );
    lab.datacenter.storages.fill('local', 0);
    expect((await upload(lab, 'x.iso', iso)).exit).toBe(
      "import failed: cp: error writing '/var/lib/vz/template/iso/x.iso': No space left on device",
    );
    expect(volumes(lab).size).toBe(0);
  });
});

describe('what is behind an address', () => {
  const query = 'GET /nodes/{node}/query-url-metadata';

  test('is asked for without fetching it', async () => {
    using lab = aDatacenter();
    const ask = (path: string) => lab.ask(query, { node: 'pve1', url: origin + path });
    expect(await ask('/small.iso?a=1')).toEqual({
      filename: 'small.iso',
      size: 300_000,
      mimetype: 'application/x-test',
    });
    expect(await ask('/redir')).toEqual({ filename: 'redir', size: 300_000, mimetype: 'application/x-test' });
    expect(await ask('/named')).toEqual({ filename: 'talos.iso', mimetype: 'text/x' });
  });

  test('is refused in these words', async () => {
    using lab = aDatacenter();
    const refused = (url: string, rest = {}) => lab.refused(query, { node: 'pve1', url, ...rest });
    expect(await refused(`${origin}/nosuch`)).toBe("invalid server response: '404 File not found'");
    expect(await refused('http://127.0.0.1:9/x')).toBe(
      "invalid server response: '500 Can't connect to 127.0.0.1:9 (Connection refused)'",
    );
    const untrusted = `https://127.0.0.1:${portOf(secure)}/small.iso`;
    expect(await refused(untrusted)).toBe(
      `invalid server response: '500 Can't connect to 127.0.0.1:${portOf(secure)} (certificate verify failed)'`,
    );
    expect(await refused(untrusted, { 'verify-certificates': 0 })).toBe('no refusal');
  });
});

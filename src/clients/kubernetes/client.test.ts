import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { createServer as createHttpServer } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  aScriptedApi,
  certificates,
  configMap,
  patient,
  refusal,
  type Script,
} from '../../../test/kubernetes/scripted.ts';
import type { Cluster } from '../../../test/talos/peer.ts';
import { aGate, told } from '../../../test/talos/told.ts';
import { Problem } from '../../model/problem.ts';
import { readableKey } from '../talos/credentials.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await certificates();
});

const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };
const at = '/api/v1/namespaces/default/configmaps/a';
const answering: Script = ({ path }) => (path === at ? { body: configMap('a') } : undefined);

describe('a connection', () => {
  test('is made when it is needed, and used again', async () => {
    await using api = await aScriptedApi(answering);
    await using client = api.open();
    expect(api.connections()).toBe(0);
    for (let round = 0; round < 5; round++) expect(await client.get(ref, patient)).toEqual(configMap('a'));
    expect(api.connections()).toBe(2);
    expect(api.lines()).toEqual(Array.from({ length: 5 }, () => `GET ${at}`));
  });

  test('is one of so many; the others wait, and whoever is aborted waits no longer', async () => {
    const gate = aGate();
    let inside = 0;
    let most = 0;
    await using api = await aScriptedApi(async ({ path }) => {
      if (path !== at) return undefined;
      most = Math.max(most, ++inside);
      await gate.opened;
      inside--;
      return { body: configMap('a') };
    });
    await using client = api.open({ concurrency: 3 });
    await client.resources(patient);
    const leaving = new AbortController();
    const answers = Array.from({ length: 9 }, () => client.get(ref, patient));
    const aborted = client.get(ref, leaving.signal);
    await expect.poll(() => inside).toBe(3);
    leaving.abort(new Error('I leave'));
    await expect(aborted).rejects.toThrow('I leave');
    gate.open();
    await Promise.all(answers);
    expect(most).toBe(3);
  });

  test('that the server closed meanwhile costs a reader nothing', async () => {
    await using api = await aScriptedApi(answering);
    await using client = api.open();
    await client.get(ref, patient);
    api.cut();
    expect(await client.get(ref, patient)).toEqual(configMap('a'));
  });

  test('that breaks under a read is made anew, three times at most', async () => {
    let breaks = 2;
    await using api = await aScriptedApi((asked) => (asked.path === at && breaks-- > 0 ? 'hang up' : answering(asked)));
    await using client = api.open();
    expect(await client.get(ref, patient)).toEqual(configMap('a'));
    breaks = 10;
    expect(await told(client.get(ref, patient))).toEqual({
      code: 'kubernetes-lost-answer',
      recovery: 'retry',
      message: `127.0.0.1:${api.port} was asked to get ConfigMap default/a, and no answer came: the connection was lost.`,
    });
    // Ten less the three attempts of the second call.
    expect(breaks).toBe(7);
  });

  test('whose server says nothing is given up', async () => {
    await using api = await aScriptedApi(({ path }) => (path === at ? 'silence' : undefined));
    await using client = api.open({ deadlines: { answer: 40 } });
    expect((await told(client.get(ref, patient))).message).toBe(
      `127.0.0.1:${api.port} was asked to get ConfigMap default/a, and no answer came: it took too long.`,
    );
  });

  test('is given up with its caller', async () => {
    await using api = await aScriptedApi(({ path }) => (path === at ? 'silence' : undefined));
    await using client = api.open();
    const leaving = new AbortController();
    const asked = client.get(ref, leaving.signal);
    await expect.poll(() => api.asked.length).toBe(1);
    leaving.abort(new Error('I leave'));
    await expect(asked).rejects.toThrow('I leave');
  });

  test('goes through the connector, and is believed for the name that the kubeconfig says', async () => {
    await using api = await aScriptedApi(answering);
    const dialled: unknown[] = [];
    await using client = api.open(
      {
        connect: (to) => {
          dialled.push(to);
          return Promise.resolve(connect(api.port, '127.0.0.1'));
        },
      },
      { server: 'https://cluster.example:6443', tlsServerName: '127.0.0.1' },
    );
    expect(await client.get(ref, patient)).toEqual(configMap('a'));
    expect(dialled[0]).toEqual({ host: 'cluster.example', port: 6443 });
  });

  test('is believed for the name of another server of the same API, where others are named', async () => {
    await using api = await aScriptedApi(answering);
    const nobody = { server: 'https://10.9.8.7:6443' };
    const to = { connect: () => Promise.resolve(connect(api.port, '127.0.0.1')) };
    await using client = api.open({ ...to, others: () => [{ host: '127.0.0.1', port: api.port }] }, nobody);
    expect(await client.get(ref, patient)).toEqual(configMap('a'));
    await using alone = api.open({ ...to, others: () => [{ host: '10.9.8.6', port: api.port }] }, nobody);
    expect((await told(alone.version(patient))).code).toBe('kubernetes-other-name');
  });

  test('may have a path before all paths', async () => {
    await using api = await aScriptedApi(({ path }) =>
      path.startsWith('/k8s/clusters/c-1') ? { body: { gitVersion: 'v1', major: '1', minor: '36' } } : undefined,
    );
    await using client = api.open({}, { server: `${api.target.server}/k8s/clusters/c-1/` });
    expect((await client.version(patient)).minor).toBe('36');
    expect(api.lines()).toEqual(['GET /k8s/clusters/c-1/version']);
  });
});

describe('a server that is not believed is sent nothing', () => {
  const asks = async (leaf: Parameters<typeof aScriptedApi>[1], other: object = {}) => {
    const api = await aScriptedApi(answering, leaf);
    onTestFinished(() => api[Symbol.asyncDispose]());
    const client = api.open({}, other);
    onTestFinished(() => client[Symbol.asyncDispose]());
    const problem = await told(client.version(patient));
    expect(api.asked).toEqual([]);
    return { ...problem, message: problem.message.replaceAll(String(api.port), 'PORT') };
  };

  test('of another authority', async () => {
    const { crt } = await (await import('../../../test/talos/certificates.ts')).anAuthority();
    expect(await asks(undefined, { ca: crt })).toEqual({
      code: 'kubernetes-unknown-authority',
      recovery: 'ask',
      message:
        '127.0.0.1:PORT shows a certificate that the certificate authority of the kubeconfig does not vouch for: this is another cluster, something in between, or a cluster whose authority was replaced.',
    });
  });

  test('with another name', async () => {
    const leaf = await cluster.authority.issue({ name: 'x', use: ['server'], addresses: ['10.9.8.7'] });
    expect(await asks(leaf)).toEqual({
      code: 'kubernetes-other-name',
      recovery: 'ask',
      message: '127.0.0.1:PORT shows a certificate for other names than 127.0.0.1: 10.9.8.7.',
    });
  });

  test('whose certificate has expired', async () => {
    const leaf = await cluster.authority.issue({
      name: 'x',
      use: ['server'],
      addresses: ['127.0.0.1'],
      notAfter: new Date(Date.now() - 3_600_000),
    });
    const { code, message } = await asks(leaf);
    expect(code).toBe('kubernetes-certificate-date');
    expect(message).toMatch(
      /^127\.0\.0\.1:PORT shows a certificate that was valid until .*, by the clock of this machine\.$/,
    );
  });

  test('with an authority that is none, or a key that belongs to another certificate', async () => {
    expect((await asks(undefined, { ca: 'nonsense' })).message).toBe(
      'The certificate authority is not PEM that can be read.',
    );
    const credentials = { kind: 'certificate', crt: cluster.admin.crt, key: readableKey(cluster.server.key) };
    expect((await asks(undefined, { credentials })).message).toBe('The key does not belong to the client certificate.');
  });

  test('unless the kubeconfig wants it so, which is warned of every time', async () => {
    await using api = await aScriptedApi(answering);
    for (let round = 0; round < 2; round++) {
      const warnings: string[] = [];
      await using client = api.open(
        { warn: (text) => warnings.push(text) },
        { insecure: true, ca: undefined, tlsServerName: 'somebody.else' },
      );
      expect(await client.get(ref, patient)).toEqual(configMap('a'));
      expect(warnings).toEqual([
        `The certificate of 127.0.0.1:${api.port} is not looked at: whoever is in between can read and change everything.`,
      ]);
    }
  });
});

describe('a server that is not there', () => {
  const fails = async (tools: object, server = 'https://10.0.0.5:6443') => {
    await using api = await aScriptedApi(answering);
    await using client = api.open(tools, { server });
    const problem: unknown = await client.version(patient).catch((error: unknown) => error);
    if (!(problem instanceof Problem)) throw problem;
    return [problem.code, problem.recovery, problem.message, problem.remedy.split('\n').at(-1)?.trim()];
  };
  const failing = (code: string) => ({ connect: () => Promise.reject(Object.assign(new Error('x'), { code })) });

  test('is told in words, with something that can be typed', async () => {
    expect(await fails(failing('ECONNREFUSED'))).toEqual([
      'kubernetes-unreachable',
      'retry',
      '10.0.0.5:6443 could not be asked to tell its version: nothing listens there.',
      'curl -k https://10.0.0.5:6443/readyz',
    ]);
    expect(await fails(failing('ENOTFOUND'), 'https://nobody.example')).toEqual([
      'kubernetes-no-such-host',
      'retry',
      'nobody.example:443 could not be asked to tell its version: the name has no address.',
      'getent hosts nobody.example',
    ]);
  });

  test('or one that answers with pages', async () => {
    await using api = await aScriptedApi(() => ({ body: '<html>Welcome to the hotel</html>' }));
    await using client = api.open();
    expect((await told(client.resources(patient))).message).toBe(
      `127.0.0.1:${api.port} was asked to tell what it serves (/api), and answered with something else than JSON.`,
    );
  });

  test('or something else that listens there', async () => {
    const other = createServer((socket: Socket) => socket.on('error', () => undefined).end('SSH-2.0-OpenSSH\r\n'));
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const [code, recovery] = await fails({}, `https://127.0.0.1:${(other.address() as AddressInfo).port}`);
    expect([code, recovery]).toEqual(['kubernetes-not-an-api-server', 'ask']);
  });
});

describe('a proxy', () => {
  async function aProxy(status = 200) {
    const asked: unknown[] = [];
    const proxy = createHttpServer().on(
      'connect',
      ({ url, headers }: { url: string; headers: Record<string, string> }, socket: Socket) => {
        asked.push([url, headers['proxy-authorization']]);
        socket.write(`HTTP/1.1 ${status} x\r\n\r\n`);
        if (status !== 200) return void socket.end();
        const [host, port] = url.split(':');
        const through = connect(Number(port), host);
        through
          .on('error', () => undefined)
          .pipe(socket.on('error', () => undefined))
          .pipe(through);
      },
    );
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void proxy.close());
    return { asked, port: (proxy.address() as AddressInfo).port };
  }

  test('dials for us', async () => {
    const { asked, port } = await aProxy();
    await using api = await aScriptedApi(answering);
    await using client = api.open({}, { proxy: `http://me:s3cret@127.0.0.1:${port}` });
    expect(await client.get(ref, patient)).toEqual(configMap('a'));
    expect(asked[0]).toEqual([`127.0.0.1:${api.port}`, `Basic ${Buffer.from('me:s3cret').toString('base64')}`]);
  });

  test('that does not is named, without its password', async () => {
    const { port } = await aProxy(403);
    await using api = await aScriptedApi(answering);
    await using client = api.open({}, { proxy: `http://me:s3cret@127.0.0.1:${port}` });
    expect(await told(client.get(ref, patient))).toEqual({
      code: 'kubernetes-proxy',
      recovery: 'ask',
      message: `The proxy 127.0.0.1:${port} does not dial 127.0.0.1:${api.port}: it answers 403.`,
    });
    expect(() => api.open({}, { proxy: 'socks5://127.0.0.1:1' })).toThrow('http and https can');
  });
});

describe('what is sent with every request', () => {
  test('says who acts as whom, and what asks', async () => {
    await using api = await aScriptedApi(answering);
    const as = { user: 'eve', uid: '7', groups: ['a', 'b'], extra: { 'acme/Scope': ['x'] } };
    await using client = api.open({ userAgent: 'ichor/1' }, { as, credentials: { kind: 'token', token: 't0ken' } });
    await client.get(ref, patient);
    const headers = api.asked[0]?.headers ?? {};
    expect(Object.fromEntries(Object.entries(headers).filter(([name]) => /^(imp|auth|user|acc)/.test(name)))).toEqual({
      accept: 'application/json',
      authorization: 'Bearer t0ken',
      'user-agent': 'ichor/1',
      'impersonate-user': 'eve',
      'impersonate-uid': '7',
      'impersonate-group': 'a, b',
      'impersonate-extra-acme%2fscope': 'x',
    });
  });

  test('a warning of the server is told once', async () => {
    const warning = '299 - "v1 ComponentStatus is \\"deprecated\\" in v1.19+"';
    await using api = await aScriptedApi(({ path }) =>
      path === at ? { body: configMap('a'), headers: { warning } } : undefined,
    );
    const warnings: string[] = [];
    await using client = api.open({ warn: (text) => warnings.push(text) });
    await client.get(ref, patient);
    await client.get(ref, patient);
    expect(warnings).toEqual(['v1 ComponentStatus is "deprecated" in v1.19+']);
  });
});

describe('who is not known', () => {
  test('is told when the client certificate has expired', async () => {
    const crt = await cluster.authority.issue({
      name: 'me',
      use: ['client'],
      notAfter: new Date('2026-01-02T00:00:00Z'),
    });
    await using api = await aScriptedApi(() => refusal(401, 'Unauthorized', 'Unauthorized'));
    await using client = api.open(
      {},
      { credentials: { kind: 'certificate', crt: crt.crt, key: readableKey(crt.key) } },
    );
    expect(await told(client.version(patient))).toEqual({
      code: 'kubernetes-client-certificate-expired',
      recovery: 'ask',
      message: `127.0.0.1:${api.port} does not know who asks to tell its version: your client certificate expired on 2026-01-02.`,
    });
  });

  test('and with another reason is told just that', async () => {
    await using api = await aScriptedApi(() => refusal(401, 'Unauthorized', 'Unauthorized'));
    await using client = api.open({}, { credentials: { kind: 'token', token: 'x' } });
    expect((await told(client.version(patient))).message).toBe(
      `127.0.0.1:${api.port} does not know who asks to tell its version: the credentials were not taken.`,
    );
  });
});

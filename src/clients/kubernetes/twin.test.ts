import { beforeAll, describe, expect, test } from 'vitest';
import { patient } from '../../../test/kubernetes/scripted.ts';
import { told } from '../../../test/talos/told.ts';
import { serveKubernetes } from '../../lab/kubernetes/serve.ts';
import { startKubernetesTwin } from '../../lab/kubernetes/start.ts';
import { makeAuthority } from '../../lab/pki/authority.ts';
import { issuerOf, issueWithKey } from '../../lab/pki/issue.ts';
import type { KubernetesTarget } from '../kubernetes.ts';
import { openKubernetes } from './client.ts';
import { startInformer } from './informer.ts';

const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };

type Pki = { readonly ca: string; readonly server: Pair; readonly admin: Pair };
type Pair = { readonly crt: string; readonly key: string };
let pki: Pki;
beforeAll(() => {
  const ca = makeAuthority({ commonName: 'lab' }, validity);
  const issue = (subject: object, purpose: 'server' | 'client', hosts: readonly string[]): Pair => {
    const { crt, key } = issueWithKey(issuerOf(ca.crt, ca.key), {
      subject: { commonName: 'x', ...subject },
      hosts,
      usage: ['digitalSignature'],
      purposes: [purpose],
      ...validity,
    });
    return { crt, key: key.export({ type: 'pkcs8', format: 'pem' }).toString() };
  };
  pki = {
    ca: ca.crt,
    server: issue({ commonName: 'kube-apiserver' }, 'server', ['127.0.0.1']),
    admin: issue({ commonName: 'admin', organizations: ['system:masters'] }, 'client', []),
  };
});

async function aTwin() {
  const twin = startKubernetesTwin({ clientAuthorities: [pki.ca] });
  const served = await serveKubernetes(twin, {
    certificate: pki.server.crt,
    key: pki.server.key,
    clientAuthorities: [pki.ca],
  });
  const target: KubernetesTarget = {
    server: served.url,
    ca: pki.ca,
    tlsServerName: undefined,
    insecure: false,
    proxy: undefined,
    credentials: { kind: 'certificate', ...pki.admin },
    as: undefined,
    namespace: 'default',
  };
  const client = openKubernetes(target);
  return {
    client,
    twin,
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
      await twin[Symbol.asyncDispose]();
    },
  };
}

describe('against the twin', () => {
  test('an object lives and dies, and whoever watches sees it', async () => {
    await using lab = await aTwin();
    const { client } = lab;
    const ref = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' };
    const query = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default' };
    await using informer = startInformer(client, query, {}, patient);
    await informer.synced;
    const heard: string[] = [];
    informer.listen(({ kind, key }) => void (key === 'default/a' && heard.push(kind)));
    const made = await client.create(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } },
      {},
      patient,
    );
    await expect.poll(() => heard).toEqual(['added']);
    await client.patch(ref, { kind: 'merge', body: { data: { y: '2' } } }, {}, patient);
    await expect.poll(() => heard).toEqual(['added', 'updated']);
    expect((await client.get(ref, patient))?.['data']).toEqual({ x: '1', y: '2' });
    expect(await told(client.replace(made, {}, patient))).toMatchObject({
      code: 'kubernetes-conflict',
      recovery: 'retry',
    });
    const { uid = '' } = made.metadata;
    expect(await client.delete(ref, { preconditions: { uid } }, patient)).toBe('gone');
    await expect.poll(() => heard).toEqual(['added', 'updated', 'removed']);
    expect(await client.get(ref, patient)).toBeUndefined();
    expect(await client.delete(ref, {}, patient)).toBe('gone');
  });

  test('one signal may end any number of informers and watches, and nobody takes that for a leak', async () => {
    const warnings: string[] = [];
    const warned = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', warned);
    try {
      await using lab = await aTwin();
      const { client, twin } = lab;
      const all = new AbortController();
      const query = { apiVersion: 'v1', kind: 'ConfigMap' };
      const informers = Array.from({ length: 30 }, () => startInformer(client, query, {}, all.signal));
      const watches = Array.from({ length: 30 }, async () => {
        for await (const { type } of client.watch(query, {}, all.signal)) if (type === 'EXPIRED') return;
      });
      await Promise.all(informers.map(({ synced }) => synced));
      const opened = (): number =>
        twin.requests().filter(({ path, status }) => path === '/api/v1/configmaps' && status === 200).length;
      await expect.poll(opened).toBeGreaterThanOrEqual(120);
      twin.fail({ kind: 'drop-watch' });
      await expect.poll(opened).toBeGreaterThanOrEqual(180);
      all.abort(new Error('that is all'));
      expect((await Promise.allSettled(watches)).map(({ status }) => status)).toEqual(watches.map(() => 'rejected'));
      for (const informer of informers) await informer[Symbol.asyncDispose]();
    } finally {
      process.off('warning', warned);
    }
    expect(warnings).toEqual([]);
  });

  test('a list in pages is the whole list', async () => {
    await using lab = await aTwin();
    const { client } = lab;
    const names = Array.from({ length: 25 }, (_, index) => `m-${String(index).padStart(2, '0')}`);
    for (const name of names)
      await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { a: 'b' } } }, {}, patient);
    const { items } = await client.list(
      { apiVersion: 'v1', kind: 'ConfigMap', labels: 'a=b' },
      { pageSize: 4 },
      patient,
    );
    expect(items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(
      names.map((name) => `ConfigMap ${name}`),
    );
  });

  test('fields of others are theirs until they are taken by force', async () => {
    await using lab = await aTwin();
    const { client } = lab;
    const map = (x: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x } });
    await client.apply(map('1'), { manager: 'one' }, patient);
    expect(await told(client.apply(map('2'), { manager: 'two' }, patient))).toEqual({
      code: 'kubernetes-owned-by-others',
      recovery: 'ask',
      message: 'Kubernetes refused to patch ConfigMap default/a: others own fields of it.\n    .data.x is one’s',
    });
    expect((await client.apply(map('2'), { manager: 'two', force: true }, patient))['data']).toEqual({ x: '2' });
  });
});

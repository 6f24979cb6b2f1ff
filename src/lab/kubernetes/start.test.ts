import { request as httpsRequest } from 'node:https';
import { expect, test } from 'vitest';
import { issuerOf, issueWithKey } from '../pki/issue.ts';
import { makeAuthority } from '../pki/authority.ts';
import { serveKubernetes } from './serve.ts';
import { startKubernetesTwin } from './start.ts';

const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };

test('a twin answers over a real socket to whoever shows a certificate of its authority', async () => {
  const ca = makeAuthority({ commonName: 'lab' }, validity);
  const issuer = issuerOf(ca.crt, ca.key);
  const own = issueWithKey(issuer, {
    subject: { commonName: 'kube-apiserver' },
    hosts: ['127.0.0.1'],
    usage: ['digitalSignature'],
    purposes: ['server'],
    ...validity,
  });
  const admin = issueWithKey(issuer, {
    subject: { commonName: 'admin', organizations: ['system:masters'] },
    usage: ['digitalSignature'],
    purposes: ['client'],
    ...validity,
  });
  await using twin = startKubernetesTwin({ clientAuthorities: [ca.crt] });
  await using served = await serveKubernetes(twin, {
    certificate: own.crt,
    key: own.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    clientAuthorities: [ca.crt],
  });
  const ask = (method: string, path: string, client: object, body?: unknown): Promise<readonly [number, unknown]> =>
    new Promise((resolve, reject) => {
      const sent = httpsRequest(`${served.url}${path}`, { method, ca: ca.crt, ...client }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => resolve([response.statusCode ?? 0, JSON.parse(text)]));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  const asAdmin = { cert: admin.crt, key: admin.key.export({ type: 'pkcs8', format: 'pem' }).toString() };

  const [code, made] = await ask('POST', '/api/v1/namespaces/default/configmaps', asAdmin, {
    metadata: { name: 'greeting' },
    data: { hello: 'world' },
  });
  expect([code, made]).toEqual([
    201,
    expect.objectContaining({ kind: 'ConfigMap', apiVersion: 'v1', data: { hello: 'world' } }),
  ]);

  const nobody = await ask('GET', '/api/v1/namespaces/default/configmaps/greeting', {});
  expect(nobody).toEqual([
    403,
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        'configmaps "greeting" is forbidden: User "system:anonymous" cannot get resource "configmaps" in API group "" in the namespace "default"',
      reason: 'Forbidden',
      details: { name: 'greeting', kind: 'configmaps' },
      code: 403,
    },
  ]);
});

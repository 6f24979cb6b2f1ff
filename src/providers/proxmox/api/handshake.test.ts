import { expect, test } from 'vitest';
import { anApi, byToken } from '../../../../test/proxmox/asking.ts';
import { aHost, ok, type ScriptedHost } from '../../../../test/proxmox/scripted-host.ts';
import type { Problem } from '../../../model/problem.ts';
import type { ProxmoxApi } from './api.ts';

const signal = AbortSignal.timeout(60_000);
const ask = (api: ProxmoxApi): Promise<unknown> => api.get({ path: '/version', doing: 'tell its version' }, signal);

const problemOf = async (api: ProxmoxApi): Promise<Problem> => {
  const problem = await ask(api).then(
    () => undefined,
    (error: Problem) => error,
  );
  if (problem === undefined) throw new Error('It was believed.');
  return problem;
};

const systemOnly = { access: { credentials: byToken, ca: undefined } };
const pinned = (fingerprint: string) => ({ ...systemOnly, settings: { tls: { insecure: false, fingerprint } } });

test('a certificate of the cluster’s authority is believed', async () => {
  await using host = await aHost((_, index) => ok(index, ['Connection: close']));
  await using api = anApi([host]);
  expect([await ask(api), await ask(api), await ask(api)]).toEqual([0, 1, 2]);
  expect(host.heard.map(({ resumed }) => resumed)).toEqual([false, true, true]);
});

test('one that nobody vouches for is not, and nothing is sent', async () => {
  await using host = await aHost(() => ok(1));
  await using api = anApi([host], systemOnly);
  const { code, message, remedy } = await problemOf(api);
  const { fingerprint } = host.certificate;
  expect({ code, message, remedy }).toEqual({
    code: 'proxmox-unknown-authority',
    message: `127.0.0.1:${host.port} shows a certificate that this system does not vouch for; its fingerprint is ${fingerprint}.`,
    remedy: `Compare it with what the host itself says, then pin it: tls.fingerprint: "${fingerprint}".\n    ssh root@127.0.0.1 openssl x509 -noout -fingerprint -sha256 -in /etc/pve/local/pve-ssl.pem`,
  });
  expect(host.heard).toEqual([]);
});

test.each<[how: string, spell: (fingerprint: string) => string]>([
  ['as the web interface shows it', (text) => text],
  ['in small letters without colons', (text) => text.replaceAll(':', '').toLowerCase()],
])('a pinned one is believed, written %s, also on connections that resume', async (_, spell) => {
  await using host = await aHost((heard, index) => ok(index, ['Connection: close']));
  await using api = anApi([host], pinned(spell(host.certificate.fingerprint)));
  expect([await ask(api), await ask(api), await ask(api)]).toEqual([0, 1, 2]);
});

test('another one than the pinned is refused with what was seen, before anything is sent', async () => {
  await using host = await aHost(() => ok(1));
  const other = host.certificate.fingerprint.replace(/^../, (byte) => (byte === '00' ? '11' : '00'));
  await using api = anApi([host], pinned(other));
  const { code, recovery, message } = await problemOf(api);
  expect({ code, recovery, message }).toEqual({
    code: 'proxmox-fingerprint',
    recovery: 'ask',
    message: `127.0.0.1:${host.port} shows a certificate with the fingerprint ${host.certificate.fingerprint}, and ${other} is pinned.`,
  });
  expect(host.heard).toEqual([]);
});

test('an endpoint that shows something else is not skipped for the next one', async () => {
  await using odd = await aHost(() => ok(1));
  await using good = await aHost(() => ok(2));
  const endpoints = [{ url: good.url, fingerprint: good.certificate.fingerprint }];
  await using api = anApi([odd], { ...systemOnly, settings: { endpoints } });
  expect((await problemOf(api)).code).toBe('proxmox-unknown-authority');
  expect([odd, good].map(({ heard }: ScriptedHost) => heard.length)).toEqual([0, 0]);
});

test('insecure believes anything', async () => {
  await using host = await aHost(() => ok(1));
  await using api = anApi([host], { ...systemOnly, settings: { tls: { insecure: true } } });
  expect(await ask(api)).toBe(1);
});

test('something else than Proxmox is recognised', async () => {
  await using host = await aHost(() => 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello');
  await using api = anApi([host]);
  expect((await problemOf(api)).message).toBe(
    'Proxmox refused to tell its version: something else than the Proxmox API answers there',
  );
});

test('a certificate authority that is none is told', async () => {
  await using host = await aHost(() => ok(1));
  await using api = anApi([host], {
    access: { credentials: byToken, ca: '-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----\n' },
  });
  expect((await problemOf(api)).message).toBe('The certificate authority of the file is no certificate in PEM.');
});

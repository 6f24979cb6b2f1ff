import { expect, test } from 'vitest';
import { patience, settingsFor } from '../../../test/proxmox/asking.ts';
import { aCluster, aRequest, toolsOf } from '../../../test/proxmox/cluster.ts';
import { told } from '../../../test/talos/told.ts';
import type { Platform } from '../../spec/platform.ts';
import { openProxmox } from './proxmox.ts';
import type { ProxmoxSettings } from './settings.ts';

const signal = AbortSignal.timeout(60_000);
const blank = { image: { kind: 'iso', host: 'pve1', volume: 'none' } } as const;

test('what the file says fits as it is', () => {
  type Said = Extract<Platform['provider'], { kind: 'proxmox' }>;
  const fits = (said: Said): ProxmoxSettings => said;
  expect(fits).toBeInstanceOf(Function);
});

test('any certificate is accepted only with a warning, every time', async () => {
  const tools = patience();
  const settings = settingsFor([{ url: 'https://pve1.example.org:8006' }], { tls: { insecure: true } });
  for (let run = 0; run < 2; run++) {
    await using provider = openProxmox(settings, { credentials: { kind: 'token', token: 'a@pve!b=c' } }, tools);
    expect(provider.reader).toBeDefined();
  }
  expect(tools.warnings.map(({ severity, message }) => [severity, message])).toEqual(
    Array.from({ length: 2 }, () => [
      'warning',
      'Any certificate is accepted from https://pve1.example.org:8006: whoever is in between reads the token.',
    ]),
  );
});

test('a login with a password and pinned certificates do all that a token does', async () => {
  await using cluster = await aCluster();
  const { lab, clock, settings } = cluster;
  const [first = '', ...others] = [...lab.endpoints.keys()];
  await using provider = openProxmox(
    {
      ...settings,
      tls: { insecure: false, fingerprint: lab.fingerprint(first) },
      endpoints: others.map((host) => ({ url: lab.endpoints.get(host) ?? '', fingerprint: lab.fingerprint(host) })),
    },
    { credentials: { kind: 'login', ...lab.password } },
    toolsOf(lab, clock, cluster.warnings),
  );
  const machine = await provider.writer.create(aRequest(401, { ...blank, firstConfig: 'machine: {}' }), signal);
  await provider.writer.delete(machine, signal);
  expect(lab.vms()).toEqual([]);
});

test('when the host that was asked is down, the others answer', async () => {
  await using cluster = await aCluster();
  const machine = await cluster.provider.writer.create(aRequest(402, { ...blank, host: 'pve2' }), signal);
  cluster.lab.setHost('pve1', 'dead');
  await cluster.provider.writer.setPower(machine, 'on', signal);
  const survey = await cluster.provider.reader.survey(signal);
  expect([survey.inventory.hosts.map(({ name }) => name), survey.silent.map(({ host }) => host)]).toEqual([
    ['pve2', 'pve3'],
    ['pve1'],
  ]);
});

test('a token that is none is told at once', async () => {
  await using cluster = await aCluster({ hosts: 1 });
  await using provider = openProxmox(
    cluster.settings,
    { credentials: { kind: 'token', token: 'root@pam!lab=wrong' }, ca: cluster.lab.ca },
    toolsOf(cluster.lab, cluster.clock, []),
  );
  expect(await told(provider.reader.survey(signal))).toEqual({
    code: 'proxmox-unauthorized',
    recovery: 'ask',
    message: 'Proxmox does not accept the token root@pam!lab.',
  });
});

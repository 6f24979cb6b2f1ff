import { expect, test } from 'vitest';
import { anApi } from '../../../test/proxmox/asking.ts';
import { aHost, ok } from '../../../test/proxmox/scripted-host.ts';
import { told } from '../../../test/talos/told.ts';
import { Facts } from './facts.ts';
import { canImportDisks, canOverruleShutdown, hasAccessNetwork, hasRules, pveVersion } from './version.ts';

const signal = AbortSignal.timeout(60_000);

test.each<[text: string, can: readonly boolean[]]>([
  ['8.0.4', [false, false, false, false]],
  ['8.2.4', [false, true, true, false]],
  ['8.4.1', [true, true, true, false]],
  ['8.4-1', [true, true, true, false]],
  ['9.0.0', [true, true, true, true]],
  ['10.1.2', [true, true, true, true]],
])('%s imports disks, overrules shutdowns, fetches with a right of its own, has rules: %s', (text, can) => {
  const version = pveVersion(text) ?? { text, major: 0, minor: 0 };
  expect([canImportDisks, canOverruleShutdown, hasAccessNetwork, hasRules].map((each) => each(version))).toEqual(can);
});

const versionOf = async (data: unknown): Promise<unknown> => {
  await using host = await aHost(() => ok(data));
  await using api = anApi([host]);
  return await told(new Facts(api).version(signal));
};

test('one that is too old is refused, and so is something that is none', async () => {
  expect(await versionOf({ version: '7.4-3' })).toEqual({
    code: 'proxmox-version',
    recovery: 'ask',
    message: 'Proxmox VE 7.4-3 is older than ichor works with: 8.0 and later.',
  });
  expect(await versionOf({ version: 'unknown' })).toMatchObject({
    message: 'The endpoint says that its version is “unknown”, which is none of Proxmox VE.',
  });
});

test('it is asked once', async () => {
  await using host = await aHost(() => ok({ version: '9.2.11' }));
  await using api = anApi([host]);
  const facts = new Facts(api);
  await Promise.all([facts.version(signal), facts.version(signal)]);
  await facts.version(signal);
  expect(host.heard.length).toBe(1);
});

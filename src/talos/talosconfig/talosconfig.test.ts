import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { anatomyOf } from '../../../test/certificate-anatomy.ts';
import { aBundle, brokenFrom, looksLikeASecret, saidBy } from '../../../test/arbitrary/secrets.ts';
import { seededEntropy, testClock, testNow } from '../../../test/entropy.ts';
import { sweep } from '../../../test/sweep.ts';
import { expiresAt, needsRenewal } from '../pki/life.ts';
import { toBase64 } from '../pki/pem.ts';
import type { SecretsBundle } from '../secrets/bundle.ts';
import { newTalosconfig } from './new.ts';
import { chooseContext, readTalosconfig } from './read.ts';
import { isIssuedBy, renewTalosconfig, rolesOf } from './renew.ts';
import { talosconfigText, type Talosconfig } from './talosconfig.ts';

const entropy = seededEntropy('talosconfig');
let bundle: SecretsBundle;
let config: Talosconfig;
beforeAll(async () => {
  bundle = await aBundle(0);
  config = await newTalosconfig({ bundle, cluster: 'prod', endpoints: ['10.0.0.1', '10.0.0.2'] }, entropy, testClock);
});

test('the file is laid out as talosctl lays it out', () => {
  expect(talosconfigText(config).replaceAll(/: \S{60,}$/gm, ': …')).toBe(`context: prod
contexts:
    prod:
        endpoints:
            - 10.0.0.1
            - 10.0.0.2
        ca: …
        crt: …
        key: …
`);
});

test('without endpoints there is an empty list, and nodes only where there are some', async () => {
  const request = { bundle, cluster: 'prod', endpoints: [], nodes: ['10.0.0.9'] };
  const text = talosconfigText(await newTalosconfig(request, entropy, testClock));
  expect(text.split('\n').slice(2, 6)).toEqual([
    '    prod:',
    '        endpoints: []',
    '        nodes:',
    '            - 10.0.0.9',
  ]);
});

test('what is written is read back', () => {
  expect(readTalosconfig(talosconfigText(config), 'talosconfig')).toEqual(config);
});

test('the certificate is an admin’s, for a year', () => {
  const { crt } = chooseContext(config, 'talosconfig');
  expect(anatomyOf(crt)).toEqual({
    subject: 'O=os:admin',
    issuer: 'O=talos',
    days: 365,
    serialBits: 'at most 128',
    publicKey: 'ed25519',
    signature: 'Ed25519',
    extensions: [
      'keyUsage critical 03020780',
      'extendedKeyUsage 300a06082b06010505070302',
      'authorityKeyIdentifier 24 bytes',
    ],
  });
  expect(expiresAt(crt)).toEqual(new Date('2027-11-16T12:00:00Z'));
  expect(needsRenewal(crt, testNow)).toBe(false);
  expect(isIssuedBy(crt, bundle)).toBe(true);
});

test('another bundle’s authority did not issue it', async () => {
  expect(isIssuedBy(chooseContext(config, 'talosconfig').crt, await aBundle(1))).toBe(false);
});

describe('reading', () => {
  test('takes what older versions, Omni and people write', () => {
    const text = `# mine
context: old
contexts:
    old: { target: 10.1.1.1, ca: YWJj }
    both: { endpoints: [a], target: b, nodes: [1.2.3.4] }
    omni: { endpoints: ["https://omni.example"], auth: { siderov1: { identity: me@example.org } }, cluster: prod }
    empty:
`;
    const none = { ca: undefined, crt: undefined, key: undefined };
    expect(readTalosconfig(text, 'talosconfig')).toEqual({
      context: 'old',
      contexts: new Map([
        ['old', { endpoints: ['10.1.1.1'], nodes: [], ...none, ca: 'abc' }],
        ['both', { endpoints: ['a', 'b'], nodes: ['1.2.3.4'], ...none }],
        ['omni', { endpoints: ['https://omni.example'], nodes: [], ...none, omni: true }],
        ['empty', { endpoints: [], nodes: [], ...none }],
      ]),
    });
  });

  test.each([
    ['', { context: '', contexts: new Map() }],
    ['context: ""\ncontexts: {}\n', { context: '', contexts: new Map() }],
  ])('an empty file: %j', (text, empty) => {
    expect(readTalosconfig(text, 'talosconfig')).toEqual(empty);
  });

  test.each([
    ['- a', 'This is no talosconfig.'],
    ['contexts: { a: { endpoints: b } }', 'contexts.a.endpoints must be a list.'],
    ['contexts: { a: { endpoints: [{}] } }', 'contexts.a.endpoints[0] must be text.'],
  ])('refuses %s', (text, message) => {
    expect(() => readTalosconfig(text, 'talosconfig')).toThrow(message);
  });
});

describe('choosing a context', () => {
  test.each([
    [
      undefined,
      'context: ""\ncontexts: {}',
      'No context is chosen in tc.',
      'The file has none: issue one from the secrets.',
    ],
    ['b', 'contexts: { a: {}, c: {} }', 'There is no context "b" in tc.', 'It has: a, c.'],
    ['b', `contexts: { a: {}, ${'A1b2'.repeat(8)}: {} }`, 'There is no context "b" in tc.', 'It has: a.'],
    [
      'a',
      'contexts: { a: { ca: YWJj, key: "***" } }',
      'Context "a" of tc has no crt, key that can be read.',
      'Issue it again from the secrets, or take the file as talosctl wrote it.',
    ],
    [
      'a',
      'contexts: { a: { auth: { siderov1: { identity: me } } } }',
      'Context "a" of tc has no ca, crt, key that can be read.',
      'It signs in through Omni. Take a talosconfig with a certificate of its own: omnictl talosconfig --break-glass',
    ],
  ])('%s of %s', (name, text, message, remedy) => {
    expect(() => chooseContext(readTalosconfig(text, 'tc'), 'tc', name)).toThrow(
      expect.objectContaining({ message, remedy }),
    );
  });
});

describe('renewing', () => {
  const later = { now: () => new Date('2027-09-01T00:00:00Z') };

  test('gives the context a new certificate with the same roles and leaves everything else', async () => {
    const roles = ['os:reader', 'os:etcd:backup'];
    const old = await newTalosconfig({ bundle, cluster: 'prod', endpoints: ['10.0.0.1'], roles }, entropy, testClock);
    const text = `${talosconfigText(old)}    other:\n        endpoints: [] # theirs\n        key: abc\n`;
    const renewed = await renewTalosconfig({ text, file: 'tc', context: 'prod', bundle }, entropy, later);
    const { crt, ca, ...rest } = chooseContext(readTalosconfig(renewed, 'tc'), 'tc', 'prod');

    expect(rolesOf(crt).toSorted()).toEqual(roles.toSorted());
    expect(expiresAt(crt)).toEqual(new Date('2028-08-31T00:00:00Z'));
    expect({ ca, endpoints: rest.endpoints }).toEqual({ ca: bundle.certs.os.crt, endpoints: ['10.0.0.1'] });
    const blank = (given: string): string => given.replaceAll(/(ca|crt|key): \S{60,}/g, '$1: …');
    expect(blank(renewed)).toBe(blank(text));
    expect(renewed).not.toContain(toBase64(chooseContext(old, 'tc').key));
  });

  test('a context that is not there is not made up', async () => {
    const request = { text: talosconfigText(config), file: 'tc', context: 'nobody', bundle };
    await expect(renewTalosconfig(request, entropy, later)).rejects.toThrow('There is no context "nobody" in tc.');
  });

  test('one whose certificate cannot be read becomes an admin’s', async () => {
    const text = 'contexts: { prod: { endpoints: [a], crt: zzz } }';
    const renewed = await renewTalosconfig({ text, file: 'tc', context: 'prod', bundle }, entropy, later);
    expect(rolesOf(chooseContext(readTalosconfig(renewed, 'tc'), 'tc', 'prod').crt)).toEqual(['os:admin']);
  });
});

test('whatever is wrong with a file, its key is not in what is said', () => {
  const text = talosconfigText(config);
  const key = toBase64(chooseContext(config, 'tc').key);
  const property = fc.property(brokenFrom(text), (broken) => {
    const said = saidBy(() => chooseContext(readTalosconfig(broken, 'tc'), 'tc', 'prod'));
    expect(said).not.toMatch(looksLikeASecret);
    expect(said).not.toContain(key.slice(0, 16));
  });
  fc.assert(property, sweep('broken talosconfigs', 100, 2000));
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { aBundle, anyBundle } from '../../../test/arbitrary/secrets.ts';
import { sweep } from '../../../test/sweep.ts';
import { readSecrets } from './read.ts';
import { secretsText } from './text.ts';

test('the file is laid out as talosctl lays it out', async () => {
  const text = secretsText(await aBundle(0, '1.13'));
  expect(text.replaceAll(/: \S+$/gm, ': …')).toBe(`cluster:
    id: …
    secret: …
secrets:
    bootstraptoken: …
    secretboxencryptionsecret: …
trustdinfo:
    token: …
certs:
    etcd:
        crt: …
        key: …
    k8s:
        crt: …
        key: …
    k8saggregator:
        crt: …
        key: …
    k8sserviceaccount:
        key: …
    os:
        crt: …
        key: …
`);
});

test('a token that looks like a number stays text', async () => {
  const bundle = await aBundle(0);
  const text = secretsText({ ...bundle, trustdinfo: { token: '123456.1234567890123456' } });
  expect(text).toContain('    token: "123456.1234567890123456"\n');
  expect(parse(text)).toMatchObject({ trustdinfo: { token: '123456.1234567890123456' } });
});

test('any bundle comes back, and its text to the byte', async () => {
  const property = fc.property(await anyBundle(), (bundle) => {
    const text = secretsText(bundle);
    const read = readSecrets(text, 'secrets.yaml');
    expect(read).toEqual(bundle);
    expect(secretsText(read)).toBe(text);
  });
  fc.assert(property, sweep('bundles there and back', 40, 1500));
});

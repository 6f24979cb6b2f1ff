import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkConfig } from '../src/lab/talos/config/check.ts';
import { factsOf } from '../src/lab/talos/config/facts.ts';
import { root } from './cli.ts';

const golden = join(root, 'test', 'golden', 'talos');
const files = readdirSync(golden).flatMap((minor) =>
  readdirSync(join(golden, minor))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => ({ minor, file })),
);

const newest: Readonly<Record<string, string>> = {
  '1.9': 'v1.9.0',
  '1.10': 'v1.10.9',
  '1.11': 'v1.11.6',
  '1.12': 'v1.12.11',
  '1.13': 'v1.13.9',
  '1.14': 'v1.14.1',
};

/** The files hold no secrets; this is base 64, and stands for all of them. */
const inPlaceOfSecrets = Buffer.from('-----BEGIN').toString('base64');

test.each(files)('$minor: a twin of that version accepts $file', ({ minor, file }) => {
  const text = readFileSync(join(golden, minor, file), 'utf8')
    .replace(/\*{6} \([^)]*\)/g, inPlaceOfSecrets)
    .split('---\n')
    // Its certificate is none, and a node looks.
    .filter((document) => !document.includes('kind: RegistryTLSConfig'))
    .join('---\n');
  const version = newest[minor] ?? '';
  const verdict = checkConfig(text, {
    version,
    mode: file.includes('node') ? 'metal' : 'cloud',
    installed: false,
    disks: ['/dev/sda'],
    diskFacts: [{ path: '/dev/sda', sizeBytes: 500_000_000_000n, model: 'QEMU HARDDISK', transport: 'virtio' }],
  });
  expect({ ...verdict, documents: [] }).toEqual({ kind: 'accepted', warnings: [], complete: true, documents: [] });
  const facts = factsOf(text, version);
  expect([
    facts?.machineType,
    facts?.talosCa?.crt.startsWith('-----BEGIN'),
    facts?.endpoint.startsWith('https://'),
  ]).toEqual([file.startsWith('worker') ? 'worker' : 'controlplane', true, true]);
});

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cidataIso } from '../../src/providers/proxmox/cidata.ts';
import { testNow } from '../entropy.ts';
import { folder } from '../folder.ts';
import { aRequest } from '../proxmox/cluster.ts';

const config = `version: v1alpha1\nmachine: { type: worker }\n${'# and so on\n'.repeat(5000)}`;

/** The medium with a machine’s first configuration, as a file. */
function medium(): string {
  const staticAddress = { address: '10.10.0.11', prefix: 24, gateway: '10.10.0.1', nameservers: ['10.10.0.1'] };
  const file = join(folder(), 'cidata.iso');
  writeFileSync(file, cidataIso(aRequest(401, { staticAddress }), config, testNow));
  return file;
}

function run(program: string, args: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error !== undefined)
    throw new Error(
      `The real tier asks ${program}, and there is none. Install the Debian packages genisoimage and xorriso.`,
    );
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return stdout;
}

test('isoinfo finds the volume, and the files under both of their names', () => {
  const file = medium();
  const head = run('isoinfo', ['-d', '-i', file]);
  expect(head).toContain('Volume id: cidata');
  expect(head).toContain('Joliet with UCS level 3 found');
  const listed = (...args: readonly string[]) =>
    run('isoinfo', ['-f', ...args, '-i', file])
      .trim()
      .split('\n')
      .toSorted();
  expect(listed()).toEqual(['/META_DATA.;1', '/NETWORK_CONFIG.;1', '/USER_DATA.;1']);
  expect(listed('-J')).toEqual(['/meta-data', '/network-config', '/user-data']);
  expect(run('isoinfo', ['-J', '-x', '/user-data', '-i', file])).toBe(config);
  expect(run('isoinfo', ['-x', '/USER_DATA.;1', '-i', file])).toBe(config);
});

test('xorriso reads it without a word of complaint, and takes everything out again', () => {
  const file = medium();
  const target = folder();
  const { status, stderr } = spawnSync(
    'xorriso',
    ['-abort_on', 'WARNING', '-read_fs', 'norock', '-indev', file, '-osirrox', 'on', '-extract', '/', target],
    { encoding: 'utf8' },
  );
  expect({ status, complaints: stderr.split('\n').filter((line) => /WARNING|SORRY|FAILURE/.test(line)) }).toEqual({
    status: 0,
    complaints: [],
  });
  expect(readdirSync(target).toSorted()).toEqual(['meta-data', 'network-config', 'user-data']);
  expect(readFileSync(join(target, 'user-data'), 'utf8')).toBe(config);
});

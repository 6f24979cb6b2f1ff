import { expect, test } from 'vitest';
import { supportsKubernetes, talosRelease, talosReleases } from '../../src/model/talos-releases.ts';
import { parseVersion, type Version } from '../../src/model/version.ts';
import { accepts } from '../../src/talos/versions.ts';
import { askAll } from './oracle.ts';
import { buildTimeoutMs } from './peers.ts';

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

const versionOf = (text: string): Version => parseVersion(text) ?? { major: 0, minor: 0, patch: 0, pre: '' };

const ours = Object.values(talosReleases).map(({ patch }) => patch);

test('Talos’ own tables say which versions go together', { timeout: buildTimeoutMs }, async () => {
  const hosts = range(7, 17).flatMap((minor) => [`v1.${minor}.0`, `v1.${minor}.5`, `v1.${minor}.99`]);
  const upgrades = ours.flatMap((installer) => hosts.map((running) => ({ installer, running })));
  const pairs = ours.flatMap((talos) => range(25, 40).map((minor) => ({ talos, kubernetes: `1.${minor}.3` })));
  const answers = await askAll<boolean>('compatibility', [...upgrades, ...pairs]);

  const known = [
    ...upgrades.map(({ installer, running }) => accepts(versionOf(installer), versionOf(running))),
    ...pairs.map(({ talos, kubernetes }) => {
      const release = talosRelease(versionOf(talos));
      return release !== undefined && supportsKubernetes(release, versionOf(kubernetes));
    }),
  ];
  const differing = [...upgrades, ...pairs].filter((_, index) => known[index] !== answers[index]);
  console.log(`versions: ${known.length - differing.length} of ${known.length} answers equal`);
  expect(differing).toEqual([]);
});

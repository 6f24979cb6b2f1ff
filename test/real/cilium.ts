import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import type { Manifest } from '../../src/model/manifest.ts';

/** The chart comes with the sources of Cilium, as the Go module proxy keeps them; the sum proves which. */
const pins = {
  '1.19.0': 'h1:hfPhb9TcoG3fRMA1/ExBFihEX1NpEWcUaV1jXJTkQVo=',
} as const;

export type Cilium = {
  /** The chart's folder. */
  readonly chart: string;
  /** Its own values. */
  readonly values: () => Promise<unknown>;
  /** The definitions that the operator brings when it runs. */
  readonly definitions: () => Promise<readonly Manifest[]>;
};

export async function ciliumSources(version: keyof typeof pins = '1.19.0'): Promise<Cilium> {
  const words = ['mod', 'download', '-json', `github.com/cilium/cilium@v${version}`];
  const { stdout } = await promisify(execFile)('go', words, {
    cwd: '/',
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  });
  const { Dir, Sum } = JSON.parse(stdout) as { readonly Dir: string; readonly Sum: string };
  if (Sum !== pins[version]) throw new Error(`Cilium ${version} is ${Sum}, and not ${pins[version]}.`);
  const chart = join(Dir, 'install', 'kubernetes', 'cilium');
  return {
    chart,
    values: async () => parse(await readFile(join(chart, 'values.yaml'), 'utf8')) as unknown,
    definitions: async () => {
      const folder = join(Dir, 'pkg', 'k8s', 'apis', 'cilium.io', 'client', 'crds');
      const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.yaml'));
      const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
      return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest));
    },
  };
}

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { immediateFields } from '../../src/talos/config/reboot.ts';
import { peerModule } from './peers.ts';

const run = promisify(execFile);

/** Where the module of a peer keeps the sources of another one. */
async function sourceOf(module: string): Promise<string> {
  const { stdout } = await run('go', ['mod', 'download', '-json', module], {
    cwd: peerModule('machined'),
    env: { ...process.env, GOTOOLCHAIN: 'local', GOWORK: 'off' },
  });
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

test('fields that change without a reboot are those that machined takes over', async () => {
  const talos = await sourceOf('github.com/siderolabs/talos@v1.13.9');
  const machinery = await sourceOf('github.com/siderolabs/talos/pkg/machinery@v1.13.9');
  const runtime = await readFile(join(talos, 'internal/app/machined/pkg/runtime/v1alpha1/v1alpha1_runtime.go'), 'utf8');
  const types = await readFile(join(machinery, 'config/types/v1alpha1/v1alpha1_types.go'), 'utf8');

  const named = (field: string): string => new RegExp(`^\\t${field} .*yaml:"([^",]+)`, 'm').exec(types)?.[1] ?? field;
  const taken = [...runtime.matchAll(/^\t+newConfig\.([\w.]+) = currentConfig\.\1(?=\s)/gm)].map(([, path = '']) =>
    path.split('.').map(named).join('.'),
  );

  expect(taken.toSorted()).toEqual(immediateFields.toSorted());
  process.stderr.write(`reboots: ${taken.length} parts of the configuration change without one\n`);
});

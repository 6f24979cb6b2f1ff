import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { root } from '../../cli.ts';
import { dataCentre, type DataCentre } from '../../data-centre.ts';
import { hiddenIn, leaks } from '../../leaks.ts';

/** Files that are there to be secret. */
const secretFiles = /^(token|talos\/(secrets\.yaml|talosconfig|kubeconfig|control-plane\.yaml|worker\.yaml))$/;

/** Every process of this machine with its arguments. */
function processes(): string {
  if (!existsSync('/proc/self/cmdline')) return execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .join('\n');
}

async function watched(here: DataCentre, words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'dist/ichor.js'), ...words], {
    cwd: here.folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CI: '1' },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const over = new AbortController();
  child.on('close', () => over.abort());
  while (!over.signal.aborted) {
    said += processes();
    await setTimeout(100);
  }
  return said;
}

/** Whole journey, with failures on the way; then everything that it left and said is searched. */
test('no key is anywhere but in the files that are there for it', async () => {
  await using here = await dataCentre({ small: true, fresh: true });
  const token = readFileSync(join(here.folder, 'token'), 'utf8').trim().split('=')[1] ?? '';
  const said: string[] = [];
  const run = async (...words: readonly string[]): Promise<void> => void said.push(await watched(here, words));
  await run('plan', '--out', 'plan.json');
  here.lab.proxmox.fail({ kind: 'lose-answer', share: 0.1, times: 5 });
  await run('up', '--plan', 'plan.json', '--output', 'jsonl');
  await run('up', '--yes', '--output', 'jsonl');
  here.lab.proxmox.heal();
  await run('up', '--yes');
  await run('status', '--output', 'json');
  await run('verify');
  here.edit([/( +)cni: /, '$1sysctls: { vm.max_map_count: "262144" }\n$&']);
  await run('plan', '--output', 'json');
  await run('diff');
  await run('up', '--yes', '--output', 'jsonl');
  for (const { vmid } of here.lab.guests.running())
    here.lab.guests.fail(vmid, { kind: 'error', error: { code: 13, message: 'broken' } });
  await run('verify', '--timeout', '2s');
  await run('status');
  await run('history', '--output', 'json');
  const secrets = readFileSync(join(here.folder, 'talos/secrets.yaml'), 'utf8');
  const kubeconfig = readFileSync(join(here.folder, 'talos/kubeconfig'), 'utf8');
  const clientKeys = [...kubeconfig.matchAll(/client-key-data: (\S+)/g)].map(([, key]) => key ?? '');
  await run('destroy', '--yes');
  const hidden = [...hiddenIn(secrets), ...clientKeys, token];
  expect(hidden.length).toBeGreaterThan(10);
  const left = readdirSync(here.folder, { recursive: true })
    .map(String)
    .filter((path) => lstatSync(join(here.folder, path)).isFile());
  expect(left.filter((path) => path.startsWith('.ichor/')).length).toBeGreaterThan(2);
  for (const path of left.filter((each) => !secretFiles.test(each)))
    expect([path, leaks(readFileSync(join(here.folder, path), 'utf8'), hidden)]).toEqual([path, []]);
  for (const [index, text] of said.entries()) {
    expect([index, leaks(text, hidden)]).toEqual([index, []]);
    expect([index, /-----BEGIN [A-Z ]*PRIVATE KEY/.test(text)]).toEqual([index, false]);
  }
});

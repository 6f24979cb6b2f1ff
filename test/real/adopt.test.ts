import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fitting } from '../../src/lab/real/fitting.ts';
import { folderForAll } from '../folder.ts';
import { labOf, type Lab } from './lab.ts';
import { buildNodeParts } from './node-parts.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';
import { talosctl, type Talosctl } from './talosctl.ts';
import { tofu } from './tofu.ts';
import { startStory, type Story } from './up-story.ts';

const minutes = 60_000;
const machines = { 'legacy-cp': 50, 'legacy-worker': 51 } as const;

/** Built with tofu, the bpg provider and talosctl, and nothing of ours; then ichor takes it over. */
describe('a real cluster that tofu and talosctl built', () => {
  const folder = folderForAll();
  const undo: (() => unknown)[] = [];
  let lab: Lab;
  let network: string;
  let ctl: Talosctl;
  let story: Story;
  const address = (name: keyof typeof machines): string => `${network}.${machines[name]}`;

  beforeAll(async () => {
    await Promise.all([peerProgram('tofu'), peerProgram('terraform-provider-proxmox'), buildNodeParts()]);
    lab = await labOf('--guests', 'real');
    undo.unshift(() => lab.stop());
    network = /nodes: (\d+\.\d+\.\d+)\.0\/24/.exec(readFileSync(lab.platform, 'utf8'))?.[1] ?? '';
    const made = await fetch(`${lab.factory}/schematics`, { method: 'POST', body: 'customization: {}' });
    const tf = await tofu(
      folder,
      { 'main.tf': readFileSync(new URL('tofu/cluster.tf', import.meta.url), 'utf8') },
      {
        SSL_CERT_FILE: lab.proxmox.ca,
        PROXMOX_VE_API_TOKEN: lab.proxmox.token,
        TF_VAR_endpoint: lab.proxmox.endpoint,
        TF_VAR_factory: lab.factory,
        TF_VAR_schematic: ((await made.json()) as { readonly id: string }).id,
        TF_VAR_machines: JSON.stringify(machines),
        TF_VAR_network: network,
      },
    );
    await tf.run('apply', '-no-color', '-auto-approve');
    ctl = await talosctl(folder);
    story = await startStory();
    undo.unshift(() => story[Symbol.asyncDispose]());
  }, buildTimeoutMs);
  afterAll(async () => {
    for (const step of undo) await step();
  }, 2 * minutes);

  test(
    'talosctl makes it',
    async () => {
      const [cp, worker] = [address('legacy-cp'), address('legacy-worker')];
      ctl.write('patch.yaml', fitting(`${network}.1`, 'none'));
      ctl.run('gen', 'config', 'legacy', `https://${cp}:6443`, '--config-patch', '@patch.yaml');
      ctl.run('apply-config', '--insecure', '-n', cp, '-f', 'controlplane.yaml');
      ctl.run('apply-config', '--insecure', '-n', worker, '-f', 'worker.yaml');
      const as = ['--talosconfig', 'talosconfig', '-e', cp, '-n', cp];
      await story.until(
        () => Promise.resolve().then(() => ctl.run(...as, 'bootstrap')),
        () => true,
      );
      const named = ['--control-plane-nodes', cp, '--worker-nodes', worker];
      ctl.run(...as, 'health', ...named, '--wait-timeout', '4m');
    },
    6 * minutes,
  );

  test(
    'ichor import and ichor up find nothing to do, and kubectl works with what they wrote',
    async () => {
      ctl.run('--talosconfig', 'talosconfig', 'config', 'endpoint', address('legacy-cp'));
      story.write('their-talosconfig', ctl.read('talosconfig'));
      const proxmox = ['--proxmox', lab.proxmox.endpoint, '--token', join(lab.dir, 'token'), '--ca', lab.proxmox.ca];
      const nodes = `${address('legacy-cp')},${address('legacy-worker')}`;
      await story.must('import', '--running', '--talosconfig', 'their-talosconfig', '-n', nodes, ...proxmox);
      expect(await story.must('plan')).toContain('Nothing to do: legacy is as the file says.');
      expect(await story.must('up', '--yes')).toContain('Nothing to do');
      await story.until(story.ready, (names) => names.length === 2);
      expect((await story.ready()).toSorted()).toEqual(['legacy-cp', 'legacy-worker']);
    },
    3 * minutes,
  );
});

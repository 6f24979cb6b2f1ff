import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ichorBeside } from '../cli.ts';
import { folderForAll } from '../folder.ts';
import { labOf, type Lab } from './lab.ts';
import { buildNodeParts } from './node-parts.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';
import { startStory, type Story } from './up-story.ts';

const minutes = 60_000;

/** From a data centre that is not there to a cluster that is: three control planes behind a VIP, and a worker. */
describe('ichor up on the lab’s Proxmox, with real Talos in the VMs', () => {
  const cache = folderForAll();
  const undo: (() => unknown)[] = [];
  let lab: Lab;
  let story: Story;

  const names = ['cp-0', 'cp-1', 'cp-2', 'general-0'];
  const up = (...more: readonly string[]): Promise<string> =>
    story.must('up', '--yes', '-f', lab.platform, '--set', 'cluster.controlPlane.replicas=3', ...more);
  const vms = async (): Promise<
    readonly { readonly vmid: number; readonly name: string; readonly status: string }[]
  > => {
    const { data } = await lab.get('/cluster/resources?type=vm');
    return data as readonly { vmid: number; name: string; status: string }[];
  };

  beforeAll(async () => {
    await Promise.all([peerProgram('kubectl'), peerProgram('talosctl'), buildNodeParts()]);
    lab = await labOf('--guests', 'real');
    undo.unshift(() => lab.stop());
    story = await startStory();
    undo.unshift(() => story[Symbol.asyncDispose]());
  }, buildTimeoutMs);
  afterAll(async () => {
    for (const step of undo) await step();
    expect(await leftovers()).toEqual([]);
  }, 2 * minutes);

  test(
    'ends in a real cluster that runs a pod, behind a VIP that three control planes share',
    async () => {
      await up();
      await story.until(story.ready, (nodes) => nodes.length === names.length);
      await story.kubectl('run', 'hello', '--image=registry.k8s.io/pause:3.10.1', '--restart=Never');
      await story.kubectl('wait', '--for=condition=Ready', 'pod/hello', '--timeout=15s');
      expect(await story.talosctl('etcd', 'members')).toMatch(/(.*real-\d+-cp-\d.*\n){3}/);
      expect(await story.kubectl('config', 'view', '-o', 'jsonpath={.clusters[0].cluster.server}')).toMatch(
        /\.2:6443$/,
      );
      expect(await up()).toContain('Nothing to do');
    },
    8 * minutes,
  );

  test(
    'the agent tells the address, the power switch reaches the node, and up switches it on again',
    async () => {
      const worker = (await vms()).find(({ name }) => name.endsWith('general-0'));
      const { data } = await lab.get(`/cluster/resources?type=vm`);
      const host = (data as { vmid: number; node: string }[]).find(({ vmid }) => vmid === worker?.vmid)?.node ?? '';
      const agent = await lab.get(`/nodes/${host}/qemu/${worker?.vmid}/agent/network-get-interfaces`);
      expect(JSON.stringify(agent.data)).toContain('.12"');
      await lab.post(`/nodes/${host}/qemu/${worker?.vmid}/status/stop`, {});
      await story.until(vms, (all) => all.some(({ name, status }) => name === worker?.name && status === 'stopped'));
      expect(await up()).toContain('start');
      await story.until(story.ready, (nodes) => nodes.length === names.length);
    },
    5 * minutes,
  );

  test(
    'destroy leaves the lab empty',
    async () => {
      await story.must('destroy', '--yes', '-f', lab.platform, '--set', 'cluster.controlPlane.replicas=3');
      expect(await vms()).toEqual([]);
      const { stdout } = await ichorBeside(['lab', 'status', '--output', 'json'], { env: { XDG_CACHE_HOME: cache } });
      expect(stdout).toContain('"vms": []');
    },
    3 * minutes,
  );
});

/** What a lab with real nodes must not leave: networks, links, control groups, folders. */
async function leftovers(): Promise<readonly string[]> {
  const inside = async (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
  const [networks, links, run] = [await inside('/run/netns'), await inside('/sys/class/net'), await inside('/run')];
  const groups = (
    await Promise.all((await inside('/sys/fs/cgroup')).map((name) => inside(`/sys/fs/cgroup/${name}`)))
  ).flat();
  return [...networks, ...links, ...run, ...groups].filter((name) => /^ichor-|^ich[0-9a-f]{8}$/.test(name));
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../folder.ts';
import { callsPerMachine } from '../proxmox/calls.ts';
import { aCluster } from '../proxmox/cluster.ts';
import { serveImages } from '../proxmox/image-server.ts';
import { Someone } from '../proxmox/someone.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';
import { tofu } from './tofu.ts';

const machines = 10;

/** What so many machines cost more than none, for each. */
const perMachine = (calls: number, without: number): number => Math.round(((calls - without) / machines) * 10) / 10;

test(
  'a machine costs fewer calls than with the bpg provider: to make it, to look at it, to take it away',
  async () => {
    await Promise.all([peerProgram('tofu'), peerProgram('terraform-provider-proxmox')]);
    const { create, unchanged, destroy } = await callsPerMachine(machines);
    // tofu looks at everything before it destroys it, and so do we.
    const looked = Math.round((unchanged.perMachine + destroy.perMachine) * 10) / 10;
    const ours = { create: create.perMachine, unchanged: unchanged.perMachine, destroy: looked };
    const bpg = await callsOfBpg();
    const line = (what: 'create' | 'unchanged' | 'destroy'): string =>
      `${what}: ${ours[what]} calls per machine, bpg ${bpg[what]}`;
    process.stderr.write(`${line('create')}; ${line('unchanged')}; ${line('destroy')}\n`);
    expect(ours.create).toBeLessThan(bpg.create);
    expect(ours.unchanged).toBeLessThan(bpg.unchanged);
    expect(ours.destroy).toBeLessThan(bpg.destroy);
    expect(ours.unchanged).toBe(1);
  },
  buildTimeoutMs,
);

async function callsOfBpg(): Promise<{
  readonly create: number;
  readonly unchanged: number;
  readonly destroy: number;
}> {
  const place = folder();
  await using images = await serveImages();
  await using cluster = await aCluster({ speed: 40 });
  const { lab, clock, token } = cluster;
  await new Someone(lab, clock).does('POST', '/nodes/pve1/storage/local/download-url', {
    content: 'import',
    filename: 'talos.qcow2',
    url: `${images.url}/talos.qcow2`,
  });
  const ca = join(place, 'ca.pem');
  writeFileSync(ca, lab.ca);
  const main = readFileSync(new URL('tofu/many.tf', import.meta.url), 'utf8');
  const environment = {
    SSL_CERT_FILE: ca,
    PROXMOX_VE_API_TOKEN: token,
    TF_VAR_endpoint: cluster.settings.endpoint,
    TF_VAR_machines: String(machines),
  };
  const { run } = await tofu(place, { 'main.tf': main }, environment);
  const counted = async (...args: readonly string[]): Promise<number> => {
    const before = lab.requests().length;
    await run(...args, '-no-color');
    return lab.requests().length - before;
  };
  const none = await counted('plan', '-var', 'machines=0');
  const create = await counted('apply', '-auto-approve');
  const unchanged = await counted('plan', '-detailed-exitcode');
  const destroy = await counted('destroy', '-auto-approve');
  return {
    create: perMachine(create, none),
    unchanged: perMachine(unchanged, none),
    destroy: perMachine(destroy, none),
  };
}

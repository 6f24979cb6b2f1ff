import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ichorBeside } from '../cli.ts';
import { folder } from '../folder.ts';
import { labOf, type Lab } from './lab.ts';
import { buildTimeoutMs, peerProgram } from './peers.ts';
import { tofu } from './tofu.ts';

const run = promisify(execFile);
const script = fileURLToPath(new URL('up-speed.sh', import.meta.url));
const hcl = readFileSync(new URL('tofu/six.tf', import.meta.url), 'utf8');

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};

/** The platform of the lab: three control planes and three workers on three hosts, Flannel, everything at twice its speed. */
test(
  'ichor is faster than tofu with the bpg provider for the machines and talosctl, all at once, for the rest',
  async () => {
    const [talosctl, kubectl] = await Promise.all([
      peerProgram('talosctl'),
      peerProgram('kubectl'),
      peerProgram('tofu'),
      peerProgram('terraform-provider-proxmox'),
    ]);
    const lab = await labOf('--speed', '2', '--cni', 'flannel');
    try {
      const ours = await byIchor(lab);
      const theirs = await byOthers(lab, talosctl, kubectl);
      const others = theirs.machines + theirs.rest;
      process.stderr.write(
        `3+3 at speed 2: ichor ${ours.toFixed(1)} s; tofu ${theirs.machines.toFixed(1)} s and talosctl ${theirs.rest.toFixed(1)} s: ${(others / ours).toFixed(2)} times as long\n`,
      );
      expect(ours).toBeLessThan(others);
    } finally {
      await lab.stop();
    }
  },
  buildTimeoutMs,
);

async function byIchor({ platform }: Lab): Promise<number> {
  const cwd = folder();
  writeFileSync(join(cwd, 'platform.yaml'), readFileSync(platform));
  const must = async (...args: readonly string[]): Promise<void> => {
    const { status, stdout, stderr } = await ichorBeside(args, { cwd, env: { HOME: cwd, CI: '1' } });
    expect({ args, status, ...(status === 0 ? {} : { stdout, stderr }) }).toEqual({ args, status: 0 });
  };
  const took = await seconds(() => must('up', '--yes'));
  await must('destroy', '--yes');
  return took;
}

async function byOthers(
  { proxmox, factory, platform }: Lab,
  talosctl: string,
  kubectl: string,
): Promise<{ readonly machines: number; readonly rest: number }> {
  const place = folder();
  const base = /gateway: ([\d.]+\.)129/.exec(readFileSync(platform, 'utf8'))?.[1] ?? '';
  const made = await fetch(`${factory}/schematics`, {
    method: 'POST',
    body: 'customization: { systemExtensions: { officialExtensions: [siderolabs/qemu-guest-agent] } }',
  });
  const planes = [0, 1, 2].map((index) => ({ host: `pve${index + 1}`, address: `${base}${131 + index}` }));
  const workers = [0, 1, 2].map((index) => ({ host: `pve${index + 1}`, address: `${base}${140 + index}` }));
  const { run: tf } = await tofu(
    place,
    { 'main.tf': hcl },
    {
      SSL_CERT_FILE: proxmox.ca,
      PROXMOX_VE_API_TOKEN: proxmox.token,
      TF_VAR_endpoint: proxmox.endpoint,
      TF_VAR_factory: factory,
      TF_VAR_schematic: ((await made.json()) as { readonly id: string }).id,
      TF_VAR_gateway: `${base}129`,
      TF_VAR_machines: JSON.stringify(
        Object.fromEntries([
          ...planes.map((each, index) => [`cp-${index}`, { ...each, cores: 2, memory: 4096, disk: 20 }]),
          ...workers.map((each, index) => [`worker-${index}`, { ...each, cores: 4, memory: 8192, disk: 40 }]),
        ]),
      ),
    },
  );
  const machines = await seconds(() => tf('apply', '-no-color', '-auto-approve', '-parallelism=20'));
  const addresses = (of: readonly { readonly address: string }[]): string => of.map(({ address }) => address).join(' ');
  const rest = await seconds(() =>
    run(script, [talosctl, kubectl, addresses(planes), addresses(workers)], {
      cwd: place,
      env: { PATH: process.env['PATH'], HOME: place },
      timeout: 180_000,
    }),
  );
  return { machines, rest };
}

import type { World } from '../model/world.ts';
import type { PlatformMaterial } from './material.ts';
import type { Meant } from './run.ts';
import { lookAtPlatform, type LookTools } from './sight.ts';
import { lockedOut } from './status.ts';
import { vipHolderOf } from './vip.ts';
import { fileCertificates, shownCertificates, type ShownCertificate } from './verify/certificates.ts';
import { skipped, unless, type Check } from './verify/check.ts';
import { etcdChecks } from './verify/etcd.ts';
import { fileChecks, type ModeOf } from './verify/files.ts';
import { endpointCheck, networkCheck, networkSkipped, podCheck } from './verify/kubernetes.ts';
import { clockCheck, machineChecks, type Speaking } from './verify/machines.ts';
import { within } from '../model/signals.ts';

export type { Check } from './verify/check.ts';

export type Verification = {
  readonly platform: string;
  readonly checks: readonly Check[];
  readonly failed: number;
  readonly warnings: number;
};

export type VerifyTools = LookTools & { readonly shownCertificate?: ShownCertificate; readonly modeOf: ModeOf };

/** The checks that a person would run. Nothing is changed. */
export async function verify(meant: Meant, tools: VerifyTools, signal: AbortSignal): Promise<Verification> {
  const { platform } = meant;
  const { world, material } = await lookAtPlatform(meant, tools, signal);
  await using lines = new Lines();
  const speaking = await lines.open(world, material, tools);
  const now = tools.clock.now();
  const groups = await Promise.all([
    clockCheck(speaking, signal),
    etcdChecks(platform, world, speaking, signal),
    kubernetesChecks(meant, world, material, tools, signal),
    fileCertificates(platform.cluster.name, platform.name, tools.store, now),
    shownCertificates(speaking, tools.shownCertificate, now, signal),
    fileChecks(world, tools.store.where, tools.modeOf),
  ]);
  const checks = [...machineChecks(platform, world), ...groups.flat()];
  const count = (state: Check['state']): number => checks.filter((check) => check.state === state).length;
  return { platform: platform.name, checks, failed: count('failed'), warnings: count('warning') };
}

/** A line to every machine of ours, closed together. */
class Lines implements AsyncDisposable {
  readonly #open: AsyncDisposable[] = [];

  async open(world: World, material: PlatformMaterial, { talos }: LookTools): Promise<readonly Speaking[]> {
    if (world.secrets === 'absent') return [];
    const access = await material.talosAccess();
    return world.machines.flatMap(({ name, role, address, talos: seen }) => {
      if (address === undefined || seen.kind !== 'known' || seen.value?.kind !== 'ours') return [];
      const node = talos.open({ host: address, access });
      this.#open.push(node);
      return [{ name, role, address, talos: node }];
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#open.map((line) => line[Symbol.asyncDispose]()));
  }
}

async function kubernetesChecks(
  { platform }: Meant,
  world: World,
  material: PlatformMaterial,
  tools: LookTools,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const unasked = (why: string): readonly Check[] => [
    skipped('pods', 'All pods of kube-system are ready.', why),
    networkSkipped(material.network, why),
  ];
  const locked = lockedOut(world);
  if (locked !== undefined) return [skipped('endpoint', 'The Kubernetes API answers.', locked), ...unasked(locked)];
  if (world.nodes.kind === 'known' && world.nodes.value === undefined) {
    const none = 'there is no Kubernetes yet';
    return [unless('endpoint', 'The Kubernetes API answers.', [none], 'Bring it up:\n    ichor up'), ...unasked(none)];
  }
  const found = new Map(
    world.machines.flatMap(({ name, address }) => (address === undefined ? [] : [[name, address]])),
  );
  const target = await material.kubernetes(found);
  await using alone = tools.openKubernetes(target);
  await using client = tools.openKubernetes(target, () => material.apiServers(found));
  const holder = await vipHolderOf(platform, world, material, tools, signal);
  using soon = within(silentMs, signal);
  const endpoint = endpointCheck(target.server, alone, holder, soon);
  if (world.nodes.kind === 'unknown') return [await endpoint, ...unasked('the API does not answer')];
  // Awaited here: the clients go with this function.
  return await Promise.all([endpoint, podCheck(client, signal), networkCheck(material.network, client, signal)]);
}

/** An address that nobody has is silent, not refused. */
const silentMs = 6000;

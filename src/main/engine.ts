import { openProvider, tellPeople, type ProviderDoor } from '../cli/provider-door.ts';
import type { EngineOptions, RunDoor } from '../cli/engine-door.ts';
import { proxies } from '../cli/environment.ts';
import { gitClean } from '../clients/git/clean.ts';
import { findHelm } from '../clients/helm/helm.ts';
import { schematicRegistrar } from '../clients/images/factory.ts';
import { openKubernetes } from '../clients/kubernetes/client.ts';
import { helmThrough } from '../clients/ssh/forward.ts';
import { openTunnel } from '../clients/ssh/tunnel.ts';
import { bootstrapOnce } from '../clients/talos/bootstrap.ts';
import { checkHealth } from '../clients/talos/health.ts';
import { keepOpen } from '../clients/talos/kept.ts';
import { openTalos } from '../clients/talos/node.ts';
import { probeTalos } from '../clients/talos/probe.ts';
import { shownCertificate } from '../clients/tls/certificate.ts';
import { dialTcp } from '../clients/talos/tcp.ts';
import type { Platform } from '../engine.ts';
import { hasApi } from '../engine/provider-access.ts';
import { Problem } from '../model/problem.ts';
import { keptFolders, openFileStore } from '../state/file/store.ts';
import { systemClock, systemEntropy, systemPause } from '../state/system.ts';

/** Everything that a run of the engine touches the world with, for one platform. */
export async function openEngine(
  platform: Platform,
  options: EngineOptions,
  door: ProviderDoor & { readonly userAgent: string },
): ReturnType<RunDoor['open']> {
  mustBeBuildable(platform);
  const { workspace, warn = tellPeople(door.terminal()) } = options;
  const tunnel = platform.via === undefined ? undefined : openTunnel(platform.via, { env: process.env });
  const connect = tunnel?.connect ?? dialTcp;
  // One look follows the other, and a handshake costs more than all that is asked.
  const lines = keepOpen((target) => openTalos({ ...target, connect }));
  const provider = hasApi(platform) ? await openProvider(platform, door, warn) : undefined;
  return {
    clock: systemClock,
    entropy: systemEntropy,
    pause: systemPause,
    store: openFileStore({ folder: process.cwd(), workspace }),
    provider,
    talos: {
      open: lines.open,
      probe: (target, signal) => probeTalos({ ...target, connect }, signal),
      bootstrapOnce,
    },
    openKubernetes: (target, others) =>
      openKubernetes(target, {
        connect,
        env: process.env,
        warn: (message) => warn(new Problem('kubernetes-warning', message, { severity: 'warning' })),
        userAgent: door.userAgent,
        ...(others === undefined ? {} : { others }),
      }),
    helm: async (signal) => {
      const helm = await findHelm(process.env, signal);
      return helm === undefined || tunnel === undefined ? helm : helmThrough(helm, tunnel.connect);
    },
    gitClean: async (signal) => gitClean(process.cwd(), await keptFolders(process.cwd(), workspace), signal),
    registerSchematic: schematicRegistrar({ proxies: proxies() }),
    checkHealth,
    shownCertificate: (place, signal) => shownCertificate(place, connect, signal),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([provider?.[Symbol.asyncDispose](), lines[Symbol.asyncDispose]()]);
      await tunnel?.[Symbol.asyncDispose]();
    },
  };
}

function mustBeBuildable({ name, provider: { kind } }: Platform): void {
  if (kind === 'proxmox' || kind === 'existing') return;
  throw new Problem('no-api', `The machines of "${name}" come from ${kind}, and ichor cannot make those yet.`, {
    remedy: 'Use machines.proxmox, or machines.existing for machines that wait in maintenance mode.',
  });
}

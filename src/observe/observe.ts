import type { TalosAccess } from '../clients/talos.ts';
import { parseVersion } from '../model/version.ts';
import { known } from '../model/seen.ts';
import type { World, WorldMachine } from '../model/world.ts';
import type { Survey } from '../providers/provider.ts';
import type { Platform } from '../spec/platform.ts';
import { contractOf, type Contract } from '../talos/config/contract.ts';
import { lookAtArtifacts } from './artifacts.ts';
import { claimsOf, withClaims } from './claims.ts';
import { lookAtNetwork } from './cni.ts';
import { configChanges } from './config.ts';
import { lookAtEtcd } from './etcd.ts';
import type { Eyes, Wanted } from './eyes.ts';
import { unlessHidden } from './failure.ts';
import { lookAtImages } from './images.ts';
import { lookAtNodes } from './kubernetes.ts';
import { locateMachines, type Located } from './machines.ts';
import { lookAtAll } from './side-by-side.ts';
import { lookAtTalos } from './talos.ts';

/** Conversations with machines at a time. */
const atOnce = 64;

/** Looks at everything that belongs to a platform. Nothing is changed, and what could not be seen is said to be unknown. */
export async function observe(platform: Platform, eyes: Eyes, signal: AbortSignal): Promise<World> {
  const { store, reader, clock } = eyes;
  const [memory, secrets, surveyed] = await Promise.all([
    store.memory(platform.name),
    store.secrets().then((text) => (text === undefined ? 'absent' : 'there')),
    reader?.survey(signal),
  ]);
  const claims = surveyed === undefined ? [] : claimsOf(platform, surveyed, eyes.wanted);
  const survey = surveyed && { ...surveyed, inventory: withClaims(platform.name, surveyed.inventory, claims) };
  const wanted = survey === undefined ? eyes.wanted : (eyes.wanted.knowing?.(survey.inventory) ?? eyes.wanted);
  const looking = { ...eyes, wanted };
  const images = survey && reader && lookAtImages(platform, reader, survey, signal);
  const located = await locateMachines(platform, memory, survey && { ...survey, claims }, looking, signal);
  const found = addressesOf(located);
  const access = secrets === 'there' ? await wanted.talosAccess() : undefined;
  const [machines, artifacts, provider] = await Promise.all([
    lookAtMachines(platform, located, access, looking, found, signal),
    lookAtArtifacts(located, secrets, looking, found),
    images?.then((seen) => survey && providerWorld(survey, seen)),
  ]);
  const whose = { machines, hostname: (machine: string) => wanted.hostname(machine) };
  const etcd = await lookAtEtcd(machines, { access, memory, whose }, eyes.talos, signal);
  const cluster = await lookAtNodes(etcd, whose, found, looking, signal);
  try {
    const network = await lookAtNetwork(wanted.network, cluster, signal);
    return {
      platform: platform.name,
      at: clock.now(),
      memory,
      secrets,
      provider,
      machines,
      etcd,
      nodes: cluster.nodes,
      network,
      artifacts,
    };
  } finally {
    await cluster.client?.[Symbol.asyncDispose]();
  }
}

const addressesOf = (machines: readonly Located[]): ReadonlyMap<string, string> =>
  new Map(machines.flatMap(({ name, address }) => (address === undefined ? [] : [[name, address]])));

const lookAtMachines = (
  platform: Platform,
  located: readonly Located[],
  access: TalosAccess | undefined,
  { talos, wanted }: Pick<Eyes, 'talos'> & { readonly wanted: Wanted },
  found: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<readonly WorldMachine[]> => {
  const contract = contractOfTalos(platform);
  return lookAtAll(located, atOnce, async (machine): Promise<WorldMachine> => {
    const changesIn = async (config: string) => {
      if (!machine.wanted) return known([]);
      const asked = await unlessHidden(() => wanted.config(machine.name, found));
      return asked.kind === 'unknown' ? asked : known(configChanges(config, asked.value, contract));
    };
    return { ...machine, talos: await lookAtTalos(machine, { access, changesIn }, talos, signal) };
  });
};

function contractOfTalos({ cluster }: Platform): Contract {
  const version = parseVersion(cluster.talos.version);
  const contract = version && contractOf(version);
  if (contract === undefined) throw new Error(`There is no contract for Talos ${cluster.talos.version}.`);
  return contract;
}

const providerWorld = (
  { provider, inventory, silent, readOnly }: Survey,
  images: NonNullable<World['provider']>['images'],
): World['provider'] => ({
  ...provider,
  inventory,
  silent: silent.map(({ host, because }) => ({ host, because })),
  readOnly,
  images,
});

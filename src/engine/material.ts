import type { TalosAccess } from '../clients/talos.ts';
import type { ClientCertificate } from '../clients/kubernetes.ts';
import type { Material } from '../execute/tools.ts';
import { networkOf } from '../kubernetes/cni/network.ts';
import type { Inventory } from '../model/host.ts';
import type { Machine } from '../model/machine.ts';
import { Problem } from '../model/problem.ts';
import type { Identity } from '../model/proof.ts';
import { platformIdentities } from '../plan/proof.ts';
import type { Platform } from '../spec/platform.ts';
import { machineNamed } from '../spec/names.ts';
import type { Store } from '../state/store.ts';
import { localApiPort } from '../talos/config/endpoint.ts';
import { imageRequestsOf, schematicsOf } from '../talos/image-requests.ts';
import { newKubernetesAdmin } from '../talos/kubeconfig/new.ts';
import type { SecretsBundle } from '../talos/secrets/bundle.ts';
import { readSecrets } from '../talos/secrets/read.ts';
import { newAdmin } from '../talos/talosconfig/new.ts';
import { artifactOf, artifactPaths } from './artifacts.ts';
import type { Meant } from './run.ts';
import {
  configMaker,
  contractOfPlatform,
  endpointMachine,
  kubernetesEndpoint,
  type ConfigMaker,
  type ConfigsRequest,
} from './talos-configs.ts';
import { settleSecrets, type Making } from './talos-identity.ts';

export type PlatformMaterial = Material & {
  readonly identity: (machine: string) => Identity | undefined;
  /** The same, with what the provider has: machines that are there keep what they were given. */
  readonly knowing: (inventory: Inventory) => PlatformMaterial;
};

/** Everything that comes of the file and of the secrets. Nothing is read before it is needed, and read once. */
export function materialOf(meant: Meant, store: Store, making: Making): PlatformMaterial {
  return withInventory(meant, store, making, keysOf(store, making), undefined);
}

function withInventory(
  meant: Meant,
  store: Store,
  making: Making,
  keys: Keys,
  inventory: Inventory | undefined,
): PlatformMaterial {
  const { platform } = meant;
  const { cluster, machines } = platform;
  const identities = kept(() => identitiesOf(platform, inventory));
  const network = kept(() => networkOf(platform));
  const images = kept(() => imageRequestsOf(platform));
  const schematics = kept(() => schematicsOf(platform));
  const named = new Map(machines.map((machine) => [machine.name, machine]));
  const given = async (found: ReadonlyMap<string, string>): Promise<ConfigsRequest> => {
    const bundle = await keys.bundle();
    return { platform, bundle, resolved: meant.resolved, source: meant.source, inventory, found };
  };
  const makers = new Map<string, ConfigMaker>();
  const maker = async (found: ReadonlyMap<string, string>): Promise<ConfigMaker> => {
    const request = await given(found);
    const key = found.get(endpointMachine(platform) ?? '') ?? '';
    const made = makers.get(key) ?? configMaker(request);
    makers.set(key, made);
    return made;
  };
  const controlPlanes = machines.flatMap(({ name, role }) => (role === 'control-plane' ? [name] : []));
  const fixedAddress = (machine: string): string | undefined => named.get(machine)?.fixed.address;
  const addressIn = (machine: string, found: ReadonlyMap<string, string>): string | undefined =>
    found.get(machine) ?? fixedAddress(machine);
  return {
    platform: platform.name,
    identity: (machine) => identities().get(machine),
    knowing: (later) => withInventory(meant, store, making, keys, later),
    newSecrets: async () => (await settleSecrets(undefined, undefined, contractOfPlatform(platform), making)).text,
    talosAccess: keys.talos,
    config: async (machine, found) => (await maker(found)).ofMachine(mustHave(named, machine)).text,
    kubernetes: async (found) => {
      const request = await given(found);
      return {
        server: kubernetesEndpoint(request),
        ca: request.bundle.certs.k8s.crt,
        tlsServerName: undefined,
        insecure: false,
        proxy: undefined,
        credentials: { kind: 'certificate', ...(await keys.kubernetes()) },
        as: undefined,
        namespace: 'default',
      };
    },
    apiServers: (found) =>
      controlPlanes.flatMap((machine) => {
        const host = addressIn(machine, found);
        return host === undefined ? [] : [{ host, port: localApiPort({ platform }) }];
      }),
    get network() {
      return network();
    },
    endpointMachine: endpointMachine(platform),
    addressRule: (machine) => ({
      mac: identities().get(machine)?.mac ?? macOf(platform.name, machine, inventory),
      network: cluster.network.nodes,
      not: [...vipOf(platform), cluster.network.pods, cluster.network.services],
    }),
    fixedAddress,
    fingerprint: (machine) => fingerprintOf(platform, named, machine),
    hostname: (machine) => (cluster.hostnames === 'talos' ? named.get(machine)?.hostname : undefined),
    controlPlanes,
    machines: machines.map(({ name }) => name),
    get images() {
      return images();
    },
    get schematics() {
      return schematics();
    },
    artifacts: artifactPaths,
    artifact: async (path, found) => {
      const text = await store.artifact(path);
      const present = text === undefined ? undefined : { text, file: `${store.where}/${path}` };
      const endpoints = controlPlanes.flatMap((machine) => addressIn(machine, found) ?? []);
      return artifactOf(path, { present, endpoints, request: await given(found), maker: () => maker(found) }, making);
    },
    guard: guardOf(platform),
  };
}

const vipOf = ({ cluster: { endpoint } }: Platform): readonly string[] =>
  endpoint.vip === undefined ? [] : [endpoint.vip];

const identitiesOf = (platform: Platform, inventory: Inventory | undefined): ReadonlyMap<string, Identity> =>
  new Map(platformIdentities(platform, inventory).map(([{ name }, identity]) => [name, identity]));

/** Of a machine that the file no longer has, its VM tells. */
const macOf = (platform: string, machine: string, inventory: Inventory | undefined): string =>
  inventory?.hosts
    .flatMap(({ residents }) => residents)
    .find((resident) => resident.platform === platform && resident.name === machine)?.mac ?? '';

function mustHave(named: ReadonlyMap<string, Machine>, name: string): Machine {
  const machine = named.get(name);
  if (machine === undefined) throw new Error(`The file has no machine ${name}.`);
  return machine;
}

/** As Talos writes it on the console, and as its own tools take it. */
function fingerprintOf(
  { provider, name }: Platform,
  named: ReadonlyMap<string, Machine>,
  machine: string,
): string | undefined {
  if (provider.kind !== 'existing') return undefined;
  const written = Object.entries(provider.machines).find(
    ([each]) => machineNamed(each, name, named)?.name === machine,
  )?.[1].fingerprint;
  return written === undefined ? undefined : Buffer.from(written.replaceAll(':', ''), 'hex').toString('base64');
}

function guardOf(platform: Platform): Material['guard'] {
  const { provider, cluster } = platform;
  const isProxmox = provider.kind === 'proxmox';
  return {
    apart: isProxmox && provider.antiAffinity,
    firewall: isProxmox && provider.firewall,
    management: cluster.firewall.management,
    alsoOurs: [...vipOf(platform), cluster.network.pods],
  };
}

/** What comes of the secrets; made when it is first needed, and kept for the run. */
type Keys = {
  readonly bundle: () => Promise<SecretsBundle>;
  readonly talos: () => Promise<TalosAccess>;
  readonly kubernetes: () => Promise<ClientCertificate>;
};

function keysOf(store: Store, { clock, entropy }: Making): Keys {
  const bundle = once(async () => {
    const text = await store.secrets();
    if (text === undefined) throw noSecrets(store);
    return readSecrets(text, `${store.where}/secrets.yaml`);
  });
  return {
    bundle,
    talos: once(async () => {
      const secrets = await bundle();
      const { crt, key } = await newAdmin({ bundle: secrets }, entropy, clock);
      return { kind: 'mutual', ca: secrets.certs.os.crt, crt, key } as const;
    }),
    kubernetes: once(async () => newKubernetesAdmin({ bundle: await bundle() }, entropy, clock)),
  };
}

/** Hundreds of machines take their time, and many a run needs nothing of it. */
function kept<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** What failed is tried again by the next who asks. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

const noSecrets = ({ where }: Store): Problem =>
  new Problem('no-secrets', `There are no secrets of this cluster in ${where}.`, {
    recovery: 'wait',
    remedy:
      'They are made by the first run. If the cluster exists, bring its secrets.yaml back from a copy: without it nobody can talk to its machines:\n    ichor plan',
  });

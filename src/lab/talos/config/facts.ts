import type { Pem } from './decode-own.ts';
import { loadConfig, type Loaded } from './load.ts';
import type { Values } from './reading.ts';
import { machineTypeOf } from './rules/machine.ts';
import { flagAt, mapAt, section, sectionsAt, textAt, textsAt } from './rules/report.ts';
import { versionParts } from './version.ts';

/** What a twin needs to know from its configuration, whichever documents say it. */
export type ConfigFacts = {
  readonly machineType: 'init' | 'controlplane' | 'worker';
  readonly token: string;
  /** Certificates as PEM, keys where this machine has them. */
  readonly talosCa: PemPair | undefined;
  readonly acceptedTalosCas: readonly string[];
  readonly certSans: readonly string[];
  readonly clusterName: string;
  readonly clusterId: string;
  readonly clusterSecret: string;
  readonly clusterToken: string;
  /** With port; empty when none is said. */
  readonly endpoint: string;
  readonly kubernetesCa: PemPair | undefined;
  readonly acceptedKubernetesCas: readonly string[];
  readonly etcdCa: PemPair | undefined;
  readonly hostname: HostnameFact;
  /** CIDRs by link, as configured. */
  readonly addresses: readonly { readonly link: string; readonly address: string }[];
  readonly vips: readonly { readonly link: string; readonly address: string }[];
  readonly installDisk: string | undefined;
  readonly installImage: string | undefined;
  readonly kubeletImage: string | undefined;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly nodeTaints: Readonly<Record<string, string>>;
  readonly nodeIpSubnets: readonly string[];
  readonly etcdAdvertisedSubnets: readonly string[];
  readonly cni: string;
  readonly dnsDomain: string;
  readonly podSubnets: readonly string[];
  readonly serviceSubnets: readonly string[];
  readonly discovery: boolean;
  readonly apiServerPort: number;
  readonly apiServerCertSans: readonly string[];
  readonly schedulableControlPlane: boolean;
  readonly extensionServices: readonly string[];
};

type PemPair = { readonly crt: string; readonly key: string };

type HostnameFact =
  | { readonly kind: 'static'; readonly name: string }
  /** Made from the machine’s id. */
  | { readonly kind: 'stable' }
  /** Made from the address, as before 1.12. */
  | { readonly kind: 'address' }
  /** From DHCP or the platform alone. */
  | { readonly kind: 'off' };

/** Undefined for documents without the v1alpha1 one: such a machine stays in maintenance mode. */
export function factsOf(text: string, version: string): ConfigFacts | undefined {
  const loaded = loadConfig(text, versionParts(version).minor);
  const config = loaded.find(({ kind }) => kind === 'v1alpha1')?.values;
  if (config === undefined) return undefined;
  const [machine, cluster] = [section(config, 'machine'), section(config, 'cluster')];
  const of = (kind: string): Values | undefined => loaded.find((document) => document.kind === kind)?.values;
  return {
    machineType: machineTypeOf(textAt(machine, 'type')) ?? 'worker',
    token: textAt(machine, 'token'),
    talosCa: pairOf(machine?.['ca']),
    acceptedTalosCas: certificatesOf(machine),
    certSans: textsAt(machine, 'certSANs'),
    ...clusterFacts(cluster, of),
    hostname: hostnameFact(machine, of('HostnameConfig')),
    ...addressFacts(machine, loaded),
    ...installFacts(machine, of('UnattendedInstallConfig')),
    ...nodeFacts(machine, of('KubeNodeConfig'), of('KubeletConfig')),
    ...networkFacts(cluster, of),
    extensionServices: loaded.flatMap(({ kind, name }) =>
      kind === 'ExtensionServiceConfig' && name !== undefined ? [name] : [],
    ),
  };
}

type Of = (kind: string) => Values | undefined;

const pemText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function pairOf(value: unknown): PemPair | undefined {
  if (value === undefined) return undefined;
  const { crt, key } = value as Pem;
  return { crt: pemText(crt), key: pemText(key) };
}

const certificatesOf = (part: Values | undefined): readonly string[] =>
  sectionsAt(part, 'acceptedCAs').flatMap((each) => (each === null ? [] : [pemText((each as unknown as Pem).crt)]));

/** Documents of 1.14 hold PEM as plain text. */
function plainPair(document: Values | undefined): PemPair | undefined {
  const issuing = section(document, 'issuingCA');
  return issuing === undefined ? undefined : { crt: textAt(issuing, 'cert'), key: textAt(issuing, 'key') };
}

function clusterFacts(cluster: Values | undefined, of: Of) {
  const [kube, ca, identity] = [of('KubeClusterConfig'), of('KubeAPIServerCAConfig'), of('DiscoveryIdentityConfig')];
  const discovery = section(cluster, 'discovery');
  const accepted = (ca?.['acceptedCAs'] as readonly string[] | undefined) ?? [];
  return {
    clusterName: textAt(cluster, 'clusterName') || textAt(kube, 'clusterName'),
    clusterId: textAt(cluster, 'id') || textAt(identity, 'clusterID'),
    clusterSecret: textAt(cluster, 'secret') || textAt(identity, 'clusterSecret'),
    clusterToken: textAt(cluster, 'token'),
    endpoint: textAt(section(cluster, 'controlPlane'), 'endpoint') || textAt(kube, 'endpoint'),
    kubernetesCa: pairOf(cluster?.['ca']) ?? plainPair(ca),
    acceptedKubernetesCas: [...certificatesOf(cluster), ...accepted],
    etcdCa: pairOf(section(cluster, 'etcd')?.['ca']),
    etcdAdvertisedSubnets: textsAt(section(cluster, 'etcd'), 'advertisedSubnets'),
    discovery:
      of('DiscoveryServiceConfig') !== undefined ||
      (flagAt(discovery, 'enabled') && !flagAt(section(section(discovery, 'registries'), 'service'), 'disabled')),
    schedulableControlPlane:
      flagAt(cluster, 'allowSchedulingOnControlPlanes') || flagAt(cluster, 'allowSchedulingOnMasters'),
  };
}

function hostnameFact(machine: Values | undefined, document: Values | undefined): HostnameFact {
  const name = textAt(document, 'hostname') || textAt(section(machine, 'network'), 'hostname');
  if (name !== '') return { kind: 'static', name };
  if (document !== undefined) return { kind: document['auto'] === 'off' ? 'off' : 'stable' };
  return { kind: flagAt(section(machine, 'features'), 'stableHostname') ? 'stable' : 'address' };
}

function addressFacts(machine: Values | undefined, loaded: readonly Loaded[]) {
  const devices = sectionsAt(section(machine, 'network'), 'interfaces').flatMap((device) => {
    const name = textAt(device ?? undefined, 'interface');
    const vlans = sectionsAt(device ?? undefined, 'vlans').map((vlan) => ({
      link: `${name}.${Number(vlan?.['vlanId'] ?? 0)}`,
      part: vlan,
    }));
    return [{ link: name, part: device }, ...vlans];
  });
  const old = devices.flatMap(({ link, part }) =>
    [...textsAt(part ?? undefined, 'addresses'), textAt(part ?? undefined, 'cidr')]
      .filter((address) => address !== '')
      .map((address) => ({ link, address })),
  );
  const oldVips = devices
    .map(({ link, part }) => ({ link, address: textAt(section(part ?? undefined, 'vip'), 'ip') }))
    .filter(({ address }) => address !== '');
  const fresh = loaded.flatMap(({ name = '', values }) =>
    sectionsAt(values, 'addresses')
      .map((entry) => ({ link: name, address: textAt(entry ?? undefined, 'address') }))
      .filter(({ address }) => address !== ''),
  );
  const freshVips = loaded
    .filter(({ kind }) => kind === 'Layer2VIPConfig' || kind === 'HCloudVIPConfig')
    .map(({ name = '', values }) => ({ link: textAt(values, 'link'), address: name }));
  return { addresses: [...old, ...fresh], vips: [...oldVips, ...freshVips] };
}

function installFacts(machine: Values | undefined, document: Values | undefined) {
  const install = section(machine, 'install');
  const given = (text: string): string | undefined => (text === '' ? undefined : text);
  return {
    installDisk: given(textAt(install, 'disk')),
    installImage: given(textAt(install, 'image') || textAt(section(document, 'installer'), 'image')),
  };
}

function nodeFacts(machine: Values | undefined, node: Values | undefined, kubelet: Values | undefined) {
  const image = textAt(section(machine, 'kubelet'), 'image') || textAt(kubelet, 'image');
  const subnets = textsAt(section(section(machine, 'kubelet'), 'nodeIP'), 'validSubnets');
  return {
    kubeletImage: image === '' ? undefined : image,
    nodeLabels: { ...mapAt(machine, 'nodeLabels'), ...mapAt(node, 'labels') },
    nodeTaints: { ...mapAt(machine, 'nodeTaints'), ...mapAt(node, 'taints') },
    nodeIpSubnets: subnets.length > 0 ? subnets : textsAt(section(node, 'nodeIP'), 'validSubnets'),
  };
}

function networkFacts(cluster: Values | undefined, of: Of) {
  const network = section(cluster, 'network');
  const [kube, server, flannel] = [of('KubeNetworkConfig'), of('KubeAPIServerConfig'), of('KubeFlannelCNIConfig')];
  const cni = section(network, 'cni');
  const either = (key: string): readonly string[] =>
    textsAt(network, key).length > 0 ? textsAt(network, key) : textsAt(kube, key);
  const old = section(cluster, 'apiServer');
  const sans = textsAt(old, 'certSANs');
  return {
    cni: cni === undefined ? (kube !== undefined && flannel === undefined ? 'none' : 'flannel') : textAt(cni, 'name'),
    dnsDomain: textAt(network, 'dnsDomain') || textAt(kube, 'dnsDomain') || 'cluster.local',
    podSubnets: either('podSubnets'),
    serviceSubnets: either('serviceSubnets'),
    apiServerPort: Number(section(cluster, 'controlPlane')?.['localAPIServerPort'] ?? server?.['apiPort'] ?? 0) || 6443,
    apiServerCertSans: sans.length > 0 ? sans : textsAt(server, 'certExtraSANs'),
  };
}

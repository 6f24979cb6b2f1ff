import { isMap, parseAllDocuments } from 'yaml';
import type { TwinHardware } from '../twin.ts';
import { configuredNetwork } from './configured-network.ts';
import type { ConfiguredNetwork } from './configured-network.ts';

type Tree = Readonly<Record<string, unknown>>;

type NodeTaint = { readonly key: string; readonly value?: string; readonly effect: string };

/** What a node lives by, out of its configuration. Certificates and keys are PEM. */
export type Settings = {
  readonly type: 'controlplane' | 'worker';
  readonly token: string;
  readonly ca: { readonly crt: string; readonly key: string };
  readonly acceptedCas: readonly string[];
  readonly certSans: readonly string[];
  readonly clusterName: string;
  readonly clusterId: string;
  readonly endpoint: string;
  readonly kubernetesCa: { readonly crt: string; readonly key: string };
  readonly acceptedKubernetesCas: readonly string[];
  readonly etcdCa: string;
  readonly kubeconfigLifetimeMs: number;
  readonly hostname: string | undefined;
  /** `stable`: a name made of the node’s identity, unless somebody else gives one. */
  readonly autoHostname: boolean;
  readonly vips: readonly string[];
  readonly install: { readonly disk: string | undefined; readonly image: string | undefined };
  readonly cni: string;
  readonly kubeProxy: boolean;
  readonly discovery: boolean;
  readonly kubelet: string;
  readonly apiServer: string;
  /** What each static pod is made of, to see whether it becomes another one. */
  readonly components: Readonly<Record<Component, string>>;
  readonly podSubnets: readonly string[];
  readonly serviceSubnets: readonly string[];
  readonly dnsDomain: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly nodeAnnotations: Readonly<Record<string, string>>;
  readonly nodeTaints: readonly NodeTaint[];
  readonly sortedNodeIps: readonly string[];
  /** What it says about these cards. */
  readonly network: (cards: TwinHardware['links']) => ConfiguredNetwork;
  readonly hostDns: boolean;
  readonly kubeSpan: boolean;
  /** Its kernel may hand over to another one without the firmware. */
  readonly kexec: boolean;
};

export const componentNames = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
type Component = (typeof componentNames)[number];

const tree = (value: unknown): Tree => (typeof value === 'object' && value !== null ? (value as Tree) : {});
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const texts = (value: unknown): readonly string[] => list(value).flatMap((each) => text(each) ?? []);
const pemOf = (value: unknown): string => Buffer.from(text(value) ?? '', 'base64').toString('utf8');

function documentsOf(config: string): readonly Tree[] {
  return parseAllDocuments(config, { uniqueKeys: false, logLevel: 'silent' }).flatMap((document) =>
    'contents' in document && isMap(document.contents) ? [tree(document.toJS())] : [],
  );
}

/** Undefined for documents without a v1alpha1 one: with those a node stays in maintenance mode. */
export function settingsOf(config: string): Settings | undefined {
  const documents = documentsOf(config);
  const main = documents.find((document) => document['version'] !== undefined && document['kind'] === undefined);
  if (main === undefined) return undefined;
  const kinds = (kind: string): readonly Tree[] => documents.filter((document) => document['kind'] === kind);
  const one = (kind: string): Tree => kinds(kind)[0] ?? {};
  const machine = tree(main['machine']);
  const cluster = tree(main['cluster']);
  const network = tree(cluster['network']);
  const ca = tree(machine['ca']);
  const kubernetesCa = tree(cluster['ca']);
  const ownCa = one('KubeAPIServerCAConfig');
  const issuing = tree(ownCa['issuingCA']);
  const install = tree(machine['install']);
  const unattended = one('UnattendedInstallConfig');
  const hostnames = one('HostnameConfig');
  const machineNetwork = tree(machine['network']);
  const clusterDocument = one('KubeClusterConfig');
  return {
    type: machine['type'] === 'worker' ? 'worker' : 'controlplane',
    token: text(machine['token']) ?? '',
    ca: { crt: pemOf(ca['crt']), key: pemOf(ca['key']) },
    acceptedCas: list(machine['acceptedCAs']).map((each) => pemOf(tree(each)['crt'])),
    certSans: texts(machine['certSANs']),
    clusterName: text(cluster['clusterName']) ?? text(clusterDocument['clusterName']) ?? '',
    clusterId: text(cluster['id']) ?? text(one('DiscoveryIdentityConfig')['clusterID']) ?? '',
    endpoint:
      text(tree(cluster['controlPlane'])['endpoint']) ??
      text(tree(clusterDocument['controlPlane'])['endpoint']) ??
      text(clusterDocument['endpoint']) ??
      '',
    kubernetesCa: {
      crt: pemOf(kubernetesCa['crt']) || (text(issuing['cert']) ?? ''),
      key: pemOf(kubernetesCa['key']) || (text(issuing['key']) ?? ''),
    },
    acceptedKubernetesCas: list(cluster['acceptedCAs']).map((each) => pemOf(tree(each)['crt'])),
    etcdCa: pemOf(tree(tree(cluster['etcd'])['ca'])['crt']),
    kubeconfigLifetimeMs: hoursMs(text(tree(cluster['adminKubeconfig'])['certLifetime'])) ?? 8760 * 3_600_000,
    hostname: text(hostnames['hostname']) ?? text(machineNetwork['hostname']),
    autoHostname: hostnames['auto'] === 'stable' || tree(machine['features'])['stableHostname'] === true,
    vips: [
      ...kinds('Layer2VIPConfig').flatMap((document) => text(document['name']) ?? []),
      ...list(machineNetwork['interfaces']).flatMap((each) => [
        ...(text(tree(tree(each)['vip'])['ip']) === undefined ? [] : [String(tree(tree(each)['vip'])['ip'])]),
        ...list(tree(each)['vlans']).flatMap((vlan) => text(tree(tree(vlan)['vip'])['ip']) ?? []),
      ]),
    ],
    install: {
      disk: text(install['disk']),
      image: text(install['image']) ?? text(tree(unattended['installer'])['image']),
    },
    cni: text(tree(network['cni'])['name']) ?? 'flannel',
    kubeProxy: tree(cluster['proxy'])['disabled'] !== true,
    discovery: tree(cluster['discovery'])['enabled'] === true || kinds('DiscoveryServiceConfig').length > 0,
    kubelet: text(tree(machine['kubelet'])['image']) ?? text(one('KubeletConfig')['image']) ?? '',
    apiServer: text(tree(cluster['apiServer'])['image']) ?? text(one('KubeAPIServerConfig')['image']) ?? '',
    components: {
      'kube-apiserver': JSON.stringify([
        cluster['apiServer'],
        documents.filter(({ kind }) => String(kind).startsWith('KubeA')),
      ]),
      'kube-controller-manager': JSON.stringify([
        cluster['controllerManager'],
        network,
        one('KubeControllerManagerConfig'),
      ]),
      'kube-scheduler': JSON.stringify([cluster['scheduler'], one('KubeSchedulerConfig')]),
    },
    podSubnets: texts(network['podSubnets']).length > 0 ? texts(network['podSubnets']) : ['10.244.0.0/16'],
    serviceSubnets: texts(network['serviceSubnets']).length > 0 ? texts(network['serviceSubnets']) : ['10.96.0.0/12'],
    dnsDomain: text(network['dnsDomain']) ?? 'cluster.local',
    nodeLabels: strings({ ...tree(machine['nodeLabels']), ...tree(one('KubeNodeConfig')['labels']) }),
    nodeAnnotations: strings({ ...tree(machine['nodeAnnotations']), ...tree(one('KubeNodeConfig')['annotations']) }),
    nodeTaints: [
      ...(machine['type'] === 'controlplane' && cluster['allowSchedulingOnControlPlanes'] !== true
        ? [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }]
        : []),
      ...Object.entries(strings({ ...tree(machine['nodeTaints']), ...tree(one('KubeNodeConfig')['taints']) })).map(
        taintOf,
      ),
    ].filter((taint, index, all) => all.findIndex(({ key }) => key === taint.key) === index),
    sortedNodeIps: texts(tree(tree(machine['kubelet'])['nodeIP'])['validSubnets']),
    network: (cards) => configuredNetwork(documents, cards),
    hostDns: tree(tree(machine['features'])['hostDNS'])['forwardKubeDNSToHost'] === true,
    kubeSpan: tree(machineNetwork['kubespan'])['enabled'] === true || one('KubeSpanConfig')['enabled'] === true,
    kexec: !['1', 1].includes(tree(machine['sysctls'])['kernel.kexec_load_disabled'] as string | number),
  };
}

const strings = (values: Tree): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));

/** `value:Effect`, or the effect alone. */
function taintOf([key, written]: readonly [string, string]): NodeTaint {
  const [value = '', effect] = written.split(':');
  return effect === undefined ? { key, effect: value } : { key, ...(value === '' ? {} : { value }), effect };
}

/** Go’s way of writing how long something lasts. */
function hoursMs(duration: string | undefined): number | undefined {
  if (duration === undefined) return undefined;
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  let total = 0;
  for (const [, amount, unit] of duration.matchAll(/([\d.]+)(ms|h|m|s)/g))
    total += Number(amount) * (units[unit ?? ''] ?? 0);
  return total;
}

import { definitionOf } from './definitions.ts';
import { goYaml } from './go-yaml.ts';
import type { ResourceStore } from './resource.ts';
import * as cluster from './specs/cluster.ts';
import * as config from './specs/config.ts';
import * as hardware from './specs/hardware.ts';
import * as network from './specs/network.ts';
import * as runtime from './specs/runtime.ts';
import type { Shape } from './specs/shape.ts';

type Way<T> = { readonly type: string; readonly shape: Shape<T> };

/** For what a node has once. */
type Single<T> = Way<T> & ((state: ResourceStore, spec: T) => void) & { readonly id: string };

/** For what a node has several of, told apart by id. */
type Many<T> = Way<T> & ((state: ResourceStore, id: string, spec: T) => void);

type Annotations = Readonly<Record<string, string>>;

function many<T>(type: string, owner: string, shape: Shape<T>, annotations: Annotations = {}): Many<T> {
  const namespace = definitionOf(type)?.namespace;
  if (namespace === undefined) throw new Error(`${type} is not declared`);
  const put = (state: ResourceStore, id: string, spec: T): void =>
    state.set(() => ({
      namespace,
      type,
      id,
      owner,
      proto: shape.proto(spec),
      yaml: goYaml(shape.yaml(spec)),
      annotations,
    }));
  return Object.assign(put, { type, shape });
}

function single<T>(type: string, id: string, owner: string, shape: Shape<T>): Single<T> {
  const put = many(type, owner, shape);
  return Object.assign((state: ResourceStore, spec: T) => put(state, id, spec), { type, id, shape });
}

/** How a twin says what it is: one function for each kind of fact, named like the resource. */
export const publish = {
  machineStatus: single(
    'MachineStatuses.runtime.talos.dev',
    'machine',
    'runtime.MachineStatusController',
    runtime.machineStatus,
  ),
  version: single('Versions.runtime.talos.dev', 'version', 'runtime.VersionController', runtime.version),
  securityState: single(
    'SecurityStates.talos.dev',
    'securitystate',
    'runtime.SecurityStateController',
    runtime.securityState,
  ),
  platformMetadata: single(
    'PlatformMetadatas.talos.dev',
    'platformmetadata',
    'network.PlatformConfigController',
    runtime.platformMetadata,
  ),
  diagnostic: many('Diagnostics.runtime.talos.dev', 'runtime.DiagnosticsController', runtime.diagnostic),
  extensionStatus: many(
    'ExtensionStatuses.runtime.talos.dev',
    'runtime.ExtensionStatusController',
    runtime.extensionStatus,
  ),
  kernelCmdline: single(
    'KernelCmdlines.runtime.talos.dev',
    'cmdline',
    'runtime.KernelCmdlineController',
    runtime.kernelCmdline,
  ),
  metaKey: many('MetaKeys.runtime.talos.dev', '', runtime.metaKey),
  metaLoaded: single('MetaLoads.runtime.talos.dev', 'meta-loaded', '', runtime.metaLoaded),
  service: many('Services.v1alpha1.talos.dev', 'v1alpha1.ServiceController', runtime.service),
  timeStatus: single('TimeStatuses.v1alpha1.talos.dev', 'node', 'time.SyncController', runtime.timeStatus),

  machineType: single(
    'MachineTypes.config.talos.dev',
    'machine-type',
    'config.MachineTypeController',
    config.machineType,
  ),
  /** Ids: `v1alpha1` is the active one, `persistent` the one on disk. */
  machineConfig: many('MachineConfigs.config.talos.dev', '', config.machineConfig, { 'talos.dev/yaml-spec': '1' }),

  hostnameStatus: single(
    'HostnameStatuses.net.talos.dev',
    'hostname',
    'network.HostnameSpecController',
    network.hostnameStatus,
  ),
  nodeAddress: many('NodeAddresses.net.talos.dev', 'network.NodeAddressController', network.nodeAddress),
  addressStatus: many('AddressStatuses.net.talos.dev', 'network.AddressStatusController', network.addressStatus),
  linkStatus: many('LinkStatuses.net.talos.dev', 'network.LinkStatusController', network.linkStatus),
  networkStatus: single('NetworkStatuses.net.talos.dev', 'status', 'network.StatusController', network.networkStatus),
  routeStatus: many('RouteStatuses.net.talos.dev', 'network.RouteStatusController', network.routeStatus),
  resolverStatus: single(
    'ResolverStatuses.net.talos.dev',
    'resolvers',
    'network.ResolverSpecController',
    network.resolverStatus,
  ),
  timeServerStatus: single(
    'TimeServerStatuses.net.talos.dev',
    'timeservers',
    'network.TimeServerSpecController',
    network.timeServerStatus,
  ),
  hardwareAddr: many('HardwareAddresses.net.talos.dev', 'network.HardwareAddrController', network.hardwareAddr),

  member: many('Members.cluster.talos.dev', 'cluster.MemberController', cluster.member),
  affiliate: many('Affiliates.cluster.talos.dev', 'cluster.AffiliateMergeController', cluster.affiliate),
  identity: single('Identities.cluster.talos.dev', 'local', 'cluster.NodeIdentityController', cluster.identity),
  info: single('Infos.cluster.talos.dev', 'current', 'cluster.InfoController', cluster.info),
  etcdMember: single('EtcdMembers.etcd.talos.dev', 'local', 'etcd.MemberController', cluster.etcdMember),
  etcdSpec: single('EtcdSpecs.etcd.talos.dev', 'etcd', 'etcd.SpecController', cluster.etcdSpec),
  staticPod: many('StaticPods.kubernetes.talos.dev', 'k8s.ControlPlaneStaticPodController', config.staticPod),
  staticPodStatus: many(
    'StaticPodStatuses.kubernetes.talos.dev',
    'k8s.KubeletStaticPodController',
    config.staticPodStatus,
  ),
  nodeStatus: many('NodeStatuses.kubernetes.talos.dev', 'k8s.NodeStatusController', cluster.nodeStatus),
  nodename: single('Nodenames.kubernetes.talos.dev', 'nodename', 'k8s.NodenameController', cluster.nodename),
  nodeIp: single('NodeIPs.kubernetes.talos.dev', 'kubelet', 'k8s.NodeIPController', cluster.nodeIp),
  kubeletSpec: single('KubeletSpecs.kubernetes.talos.dev', 'kubelet', 'k8s.KubeletSpecController', config.kubeletSpec),
  endpoint: many('Endpoints.kubernetes.talos.dev', 'k8s.EndpointController', cluster.endpoint),
  kubePrismStatus: single(
    'KubePrismStatuses.kubernetes.talos.dev',
    'k8s-loadbalancer',
    'k8s.KubePrismController',
    cluster.kubePrismStatus,
  ),
  manifestStatus: single(
    'ManifestStatuses.kubernetes.talos.dev',
    'manifests',
    'k8s.ManifestApplyController',
    cluster.manifestStatus,
  ),
  bootstrapManifests: single(
    'BootstrapManifestsConfigs.kubernetes.talos.dev',
    'manifests',
    'k8s.ControlPlaneBootstrapManifestsController',
    cluster.bootstrapManifests,
  ),

  systemInformation: single(
    'SystemInformations.hardware.talos.dev',
    'systeminformation',
    'hardware.SystemInfoController',
    hardware.systemInformation,
  ),
  processor: many('Processors.hardware.talos.dev', 'hardware.SystemInfoController', hardware.processor),
  memoryModule: many('MemoryModules.hardware.talos.dev', 'hardware.SystemInfoController', hardware.memoryModule),
  disk: many('Disks.block.talos.dev', 'block.DisksController', hardware.disk),
  systemDisk: single('SystemDisks.block.talos.dev', 'system-disk', 'block.SystemDiskController', hardware.systemDisk),
  discoveredVolume: many('DiscoveredVolumes.block.talos.dev', 'block.DiscoveryController', hardware.discoveredVolume),
  volumeStatus: many('VolumeStatuses.block.talos.dev', 'block.VolumeManagerController', hardware.volumeStatus),
} as const;

/**
 * The fields that Talos reads, by its own names of types, from 1.9 to 1.14; the real tier compares them with Talos.
 *
 * A row is a name and what it is: `struct` with its fields, another type, or `leaf` (see leaf.ts). A field is
 * name:type; `?` is left out while it is empty, `@1.12..` came with 1.12, `@..1.11` went after 1.11, `!` is
 * replaced by a patch, `<` stands for the fields of another structure. `*` may be absent, `[]` is a list,
 * `{string}` a mapping.
 */
export const typeTable = `
block.ByteSize: leaf
block.DiskSelector: struct match?:cel.Expression
block.EncryptionKey: struct slot:int static?:*block.EncryptionKeyStatic nodeID?:*block.EncryptionKeyNodeID
  kms?:*block.EncryptionKeyKMS tpm?:*block.EncryptionKeyTPM lockToState@1.11..?:*bool
block.EncryptionKeyKMS: struct endpoint:string
block.EncryptionKeyNodeID: struct
block.EncryptionKeyStatic: struct passphrase?:string
block.EncryptionKeyTPM: struct options@1.12..?:*block.EncryptionKeyTPMOptions checkSecurebootStatusOnEnroll?:*bool
block.EncryptionKeyTPMOptions: struct pcrs?:[]int
block.EncryptionProviderType: leaf
block.EncryptionSpec: struct provider:block.EncryptionProviderType keys:[]block.EncryptionKey cipher?:string
  keySize?:uint blockSize?:uint64 options?:[]string allowDiscards@1.14..?:*bool
block.ExistingMountSpec: struct readOnly?:*bool disableAccessTime?:*bool secure?:*bool
block.ExistingVolumeConfigV1Alpha1: struct <:meta.Meta name:string discovery?:block.VolumeDiscoverySpec
  mount@..1.12?:block.MountSpec mount@1.13..?:block.ExistingMountSpec trim@1.14..?:*block.TrimConfig
  scrub@1.14..?:*block.ScrubConfig
block.ExternalMountSpec: struct readOnly?:*bool disableAccessTime?:*bool secure?:*bool
  virtiofs?:*block.VirtiofsMountSpec
block.ExternalVolumeConfigV1Alpha1: struct <:meta.Meta name:string filesystemType:block.FilesystemType
  mount?:block.ExternalMountSpec
block.FilesystemScrubConfigV1Alpha1: struct <:meta.Meta interval?:time.Duration
block.FilesystemSpec: struct type?:block.FilesystemType projectQuotaSupport@1.11..?:*bool xfs@1.14..?:*block.XFSSpec
block.FilesystemTrimConfigV1Alpha1: struct <:meta.Meta interval?:time.Duration
block.FilesystemType: leaf
block.MountSpec: struct readOnly@..1.12?:*bool secure@1.13..?:*bool disableAccessTime@1.14..?:*bool
block.ProvisioningSpec: struct diskSelector?:block.DiskSelector grow?:*bool minSize?:block.ByteSize
  maxSize@..1.11?:block.ByteSize maxSize@1.12..?:block.Size
block.RawVolumeConfigV1Alpha1: struct <:meta.Meta name:string provisioning?:block.ProvisioningSpec
  encryption?:block.EncryptionSpec
block.ScrubConfig: struct enabled?:*bool interval?:time.Duration
block.Size: leaf
block.SwapVolumeConfigV1Alpha1: struct <:meta.Meta name:string provisioning?:block.ProvisioningSpec
  encryption?:block.EncryptionSpec
block.SystemVolumeFilesystemSpec: struct xfs?:*block.XFSSpec
block.TrimConfig: struct enabled?:*bool interval?:time.Duration
block.UserMountSpec: struct disableAccessTime?:*bool secure?:*bool
block.UserVolumeConfigV1Alpha1: struct <:meta.Meta name:string volumeType@1.12..?:*block.VolumeType
  provisioning?:block.ProvisioningSpec filesystem?:block.FilesystemSpec encryption?:block.EncryptionSpec
  mount@1.13..?:block.UserMountSpec trim@1.14..?:*block.TrimConfig scrub@1.14..?:*block.ScrubConfig
block.VirtiofsMountSpec: struct tag:string
block.VolumeConfigV1Alpha1: struct <:meta.Meta name:string provisioning?:block.ProvisioningSpec
  filesystem@1.14..?:block.SystemVolumeFilesystemSpec encryption@1.11..?:block.EncryptionSpec
  mount@1.13..?:block.MountSpec trim@1.14..?:*block.TrimConfig scrub@1.14..?:*block.ScrubConfig
block.VolumeDiscoverySpec: struct volumeSelector?:block.VolumeSelector
block.VolumeSelector: struct match?:cel.Expression
block.VolumeType: leaf
block.XFSSpec: struct minAllocationGroupSize?:block.ByteSize
block.ZswapConfigV1Alpha1: struct <:meta.Meta maxPoolPercent?:*int shrinkerEnabled?:*bool
cel.Expression: leaf
cluster.DiscoveryIdentityConfigV1Alpha1: struct <:meta.Meta clusterID:string clusterSecret:string
cluster.DiscoveryServiceConfigV1Alpha1: struct <:meta.Meta name:string endpoint:meta.URL
config.ContainerNetworkMode: string
config.ContainerSecurityProfile: string
container.ContainerCapabilities: struct add?:[]string drop?:[]string
container.ContainerConfigV1Alpha1: struct <:meta.Meta name:string image:string entrypoint?:[]string args?:[]string
  workingDir?:string runAs?:*container.ContainerRunAs environment?:[]string mounts?:[]container.ContainerMount
  security?:*container.ContainerSecurity network?:*container.ContainerNetwork resources?:*container.ContainerResources
  dependsOn?:*container.ContainerDependsOn
container.ContainerDependsOn: struct paths?:[]string networks?:[]string time?:*bool containers?:[]string
container.ContainerMount: struct userVolume?:*container.UserVolumeMount tmpfs?:*container.TmpfsMount
  hostPath?:*container.HostPathMount
container.ContainerNetwork: struct mode?:config.ContainerNetworkMode
container.ContainerResourceLimits: struct cpu?:string memory?:string
container.ContainerResources: struct limits?:*container.ContainerResourceLimits
container.ContainerRunAs: struct uid?:*int32 gid?:*int32
container.ContainerSecurity: struct profile?:config.ContainerSecurityProfile
  capabilities?:*container.ContainerCapabilities machinedAccess?:bool
container.HostPathMount: struct source:string destination:string options?:[]string
container.TmpfsMount: struct destination:string size?:string options?:[]string
container.UserVolumeMount: struct name:string destination:string options?:[]string
cri.CRIBaseRuntimeSpecConfigV1Alpha1: struct <:meta.Meta overrides?:!meta.Unstructured
cri.CRICustomizationConfigV1Alpha1: struct <:meta.Meta name:string content:string
cri.ImageCacheConfigV1Alpha1: struct <:meta.Meta local:cri.LocalImageCacheConfig
cri.LocalImageCacheConfig: struct enabled?:*bool
cri.RegistryAuthConfigV1Alpha1: struct <:meta.Meta name:string username?:string password?:string auth?:string
  identityToken?:string
cri.RegistryEndpoint: struct url:meta.URL overridePath?:*bool
cri.RegistryMirrorConfigV1Alpha1: struct <:meta.Meta name:string endpoints?:[]cri.RegistryEndpoint skipFallback?:*bool
cri.RegistryTLSConfigV1Alpha1: struct <:meta.Meta name:string clientIdentity?:*meta.CertificateAndKey ca?:string
  insecureSkipVerify?:*bool
extensions.ConfigFile: struct content:string mountPath:string
extensions.ConfigFileList: []extensions.ConfigFile
extensions.ServiceConfigV1Alpha1: struct <:meta.Meta name:string configFiles?:extensions.ConfigFileList
  environment?:[]string
hardware.PCIDriverRebindConfigV1Alpha1: struct <:meta.Meta name:string targetDriver:string
k8s.AcceptedServiceAccountConfig: struct publicKeys?:[]string issuers?:[]meta.URL audiences?:[]string
k8s.IssuerServiceAccountConfig: struct privateKey:string issuerURL:meta.URL
k8s.KubeAPIServerCAConfigV1Alpha1: struct <:meta.Meta issuingCA?:*meta.CertificateAndKey acceptedCAs?:[]string
k8s.KubeAPIServerConfigV1Alpha1: struct <:meta.Meta image:string extraArgs?:meta.Args env?:{string}string
  resources?:k8s.ResourcesConfig apiPort?:*int certExtraSANs?:[]string startupProbes?:*bool
k8s.KubeAdmissionControlConfigV1Alpha1: struct <:meta.Meta name:string configuration:meta.Unstructured
k8s.KubeAggregatorCAConfigV1Alpha1: struct <:meta.Meta issuingCA?:*meta.CertificateAndKey acceptedCAs?:[]string
k8s.KubeAuditPolicyConfigV1Alpha1: struct <:meta.Meta configuration:!meta.Unstructured
k8s.KubeAuthenticationConfigV1Alpha1: struct <:meta.Meta configuration:!meta.Unstructured
k8s.KubeAuthorizerConfigV1Alpha1: struct <:meta.Meta name:string type:string webhook?:meta.Unstructured
k8s.KubeClusterConfigV1Alpha1: struct <:meta.Meta clusterName:string endpoint:meta.URL
k8s.KubeControllerManagerConfigV1Alpha1: struct <:meta.Meta enabled?:*bool image:string extraArgs?:meta.Args
  env?:{string}string resources?:k8s.ResourcesConfig
k8s.KubeCoreDNSConfigV1Alpha1: struct <:meta.Meta enabled?:*bool image?:string
k8s.KubeCredentialProviderConfigV1Alpha1: struct <:meta.Meta configuration:!meta.Unstructured
k8s.KubeEtcdEncryptionConfigV1Alpha1: struct <:meta.Meta config:meta.Unstructured
k8s.KubeExternalManifestConfigV1Alpha1: struct <:meta.Meta name:string headers?:{string}string url:meta.URL
k8s.KubeFlannelCNIConfigV1Alpha1: struct <:meta.Meta backendType:string backendPort?:uint16 backendMTU?:uint32
  backendExtraConfig?:meta.Unstructured resources?:k8s.ResourcesConfig extraArgs?:[]string
  kubeNetworkPoliciesEnabled?:*bool
k8s.KubeInlineManifestConfigV1Alpha1: struct <:meta.Meta name:string manifest:string
k8s.KubeNetworkConfigV1Alpha1: struct <:meta.Meta dnsDomain:string podSubnets:![]meta.Prefix
  serviceSubnets:![]meta.Prefix nodeCIDRMaskSizeIPv4?:int nodeCIDRMaskSizeIPv6?:int
k8s.KubeNodeConfigV1Alpha1: struct <:meta.Meta skipNodeRegistration?:*bool registerWithFQDN?:*bool
  nodeIP:k8s.NodeIPConfig labels?:{string}string annotations?:{string}string taints?:{string}string
k8s.KubePrismConfigV1Alpha1: struct <:meta.Meta port:int tlsServerName?:string
k8s.KubeProxyConfigV1Alpha1: struct <:meta.Meta enabled?:*bool image?:string mode?:string config:meta.Unstructured
  extraArgs?:meta.Args resources?:k8s.ResourcesConfig
k8s.KubeSchedulerConfigV1Alpha1: struct <:meta.Meta enabled?:*bool image:string config:meta.Unstructured
  extraArgs?:meta.Args env?:{string}string resources?:k8s.ResourcesConfig
k8s.KubeServiceAccountConfigV1Alpha1: struct <:meta.Meta issuer:k8s.IssuerServiceAccountConfig
  accepted?:k8s.AcceptedServiceAccountConfig
k8s.KubeStaticPodConfigV1Alpha1: struct <:meta.Meta name:string pod:!meta.Unstructured
k8s.KubeTalosAPIAccessConfigV1Alpha1: struct <:meta.Meta allowedRoles?:[]string allowedKubernetesNamespaces?:[]string
k8s.KubeletConfigV1Alpha1: struct <:meta.Meta image:string config:meta.Unstructured extraArgs?:meta.Args
  clusterDNS?:[]string defaultRuntimeSeccompProfileEnabled?:*bool
k8s.NodeIPConfig: struct validSubnets?:[]string
k8s.ResourcesConfig: struct requests?:meta.Unstructured limits?:meta.Unstructured
meta.Addr: leaf
meta.AddrPort: leaf
meta.ArgValue: leaf
meta.Args: {string}meta.ArgValue
meta.CertificateAndKey: struct cert?:string key?:string
meta.Meta: struct apiVersion?:string kind:string
meta.Prefix: leaf
meta.URL: leaf
meta.Unstructured: struct <:{string}any
nethelpers.ADLACPActive: leaf
nethelpers.ADSelect: leaf
nethelpers.ARPAllTargets: leaf
nethelpers.ARPValidate: leaf
nethelpers.AutoHostnameKind: leaf
nethelpers.BondMode: leaf
nethelpers.BondXmitHashPolicy: leaf
nethelpers.ClientIdentifier: leaf
nethelpers.DNSProtocol: leaf
nethelpers.DefaultAction: leaf
nethelpers.FailOverMAC: leaf
nethelpers.HardwareAddr: leaf
nethelpers.LACPRate: leaf
nethelpers.PrimaryReselect: leaf
nethelpers.Protocol: leaf
nethelpers.RoutingRuleAction: leaf
nethelpers.RoutingTable: leaf
nethelpers.VLANProtocol: leaf
nethelpers.WOLMode: leaf
netip.Addr: leaf
netip.AddrPort: leaf
netip.Prefix: leaf
network.Addr: leaf
network.AddrPort: leaf
network.AddressConfig: struct address:netip.Prefix routePriority?:*uint32
network.BGPBFDConfig: struct transmitInterval?:time.Duration receiveInterval?:time.Duration detectMultiplier?:uint8
network.BGPImportRoute: struct bgpInstance:string prefixes:[]meta.Prefix
network.BGPInstanceConfigV1Alpha1: struct <:meta.Meta name:string vrf?:string localASN:uint32 routerID?:meta.Addr
  routeSource?:meta.Addr advertise?:![]string multipath?:*bool maxPaths?:uint8 installRoutes?:*bool
  importRoutes?:![]network.BGPImportRoute neighbors?:![]network.BGPNeighborConfig
network.BGPNeighborConfig: struct address?:meta.Addr link?:string peerASN?:uint32 localASN?:uint32 passive?:bool
  holdTime?:time.Duration bfd?:*network.BGPBFDConfig
network.BlackholeRouteConfigV1Alpha1: struct <:meta.Meta name:string metric?:uint32
network.BondConfigV1Alpha1: struct <:meta.Meta name:string hardwareAddr?:nethelpers.HardwareAddr links?:[]string
  bondMode?:*nethelpers.BondMode miimon?:*uint32 updelay?:*uint32 downdelay?:*uint32 useCarrier?:*bool
  xmitHashPolicy?:*nethelpers.BondXmitHashPolicy arpInterval?:*uint32 arpIpTargets?:[]netip.Addr
  nsIp6Targets?:[]netip.Addr arpValidate?:*nethelpers.ARPValidate arpAllTargets?:*nethelpers.ARPAllTargets
  lacpRate?:*nethelpers.LACPRate failOverMac?:*nethelpers.FailOverMAC adSelect?:*nethelpers.ADSelect
  adActorSysPrio?:*uint16 adUserPortKey?:*uint16 adLACPActive?:*nethelpers.ADLACPActive
  primaryReselect?:*nethelpers.PrimaryReselect resendIGMP?:*uint32 minLinks?:*uint32 lpInterval?:*uint32
  packetsPerSlave?:*uint32 numPeerNotif?:*uint8 tlbLogicalLb?:*uint8 allSlavesActive?:*uint8 peerNotifDelay?:*uint32
  missedMax?:*uint8 <:network.CommonLinkConfig
network.BridgeConfigV1Alpha1: struct <:meta.Meta name:string hardwareAddr?:nethelpers.HardwareAddr links?:[]string
  stp?:network.BridgeSTPConfig vlan?:network.BridgeVLANConfig <:network.CommonLinkConfig
network.BridgeSTPConfig: struct enabled?:*bool
network.BridgeVLANConfig: struct filtering?:*bool
network.CommonLinkConfig: struct up?:*bool mtu?:uint32 addresses?:[]network.AddressConfig
  routes?:[]network.RouteConfig multicast?:*bool
network.CommonProbeConfig: struct interval?:time.Duration failureThreshold?:int
network.DHCPv4ConfigV1Alpha1: struct <:meta.Meta name:string routeMetric?:uint32 ignoreHostname?:*bool
  ignoreRoutes@1.14..?:*bool clientIdentifier?:*nethelpers.ClientIdentifier duidRaw?:nethelpers.HardwareAddr
network.DHCPv6ConfigV1Alpha1: struct <:meta.Meta name:string routeMetric?:uint32 ignoreHostname?:*bool
  clientIdentifier?:*nethelpers.ClientIdentifier duidRaw?:nethelpers.HardwareAddr
network.DefaultActionConfigV1Alpha1: struct <:meta.Meta ingress:nethelpers.DefaultAction
network.DummyLinkConfigV1Alpha1: struct <:meta.Meta name:string hardwareAddr?:nethelpers.HardwareAddr
  <:network.CommonLinkConfig
network.EthernetChannelsConfig: struct rx?:*uint32 tx?:*uint32 other?:*uint32 combined?:*uint32
network.EthernetConfigV1Alpha1: struct <:meta.Meta name:string features?:{string}bool
  rings?:*network.EthernetRingsConfig channels?:*network.EthernetChannelsConfig wakeOnLan@1.12..?:[]nethelpers.WOLMode
network.EthernetRingsConfig: struct rx?:*uint32 tx?:*uint32 rx-mini?:*uint32 rx-jumbo?:*uint32 rx-buf-len?:*uint32
  cqe-size?:*uint32 tx-push?:*bool rx-push?:*bool tx-push-buf-len?:*uint32 tcp-data-split?:*bool
network.HCloudVIPConfigV1Alpha1: struct <:meta.Meta name:string link:string apiToken:string
network.HTTPProbeConfigV1Alpha1: struct <:meta.Meta name:string <:network.CommonProbeConfig url:meta.URL
  timeout?:time.Duration
network.HostDNSConfig: struct enabled?:*bool forwardKubeDNSToHost?:*bool resolveMemberNames?:*bool
network.HostnameConfigV1Alpha1: struct <:meta.Meta auto?:*nethelpers.AutoHostnameKind hostname?:string
network.IngressConfig: []network.IngressRule
network.IngressRule: struct subnet:netip.Prefix except@..1.13?:network.Prefix except@1.14..?:meta.Prefix
network.KubeSpanConfigV1Alpha1: struct <:meta.Meta enabled?:*bool advertiseKubernetesNetworks?:*bool
  allowDownPeerBypass?:*bool harvestExtraEndpoints?:*bool mtu?:*uint32 filters?:*network.KubeSpanFiltersConfig
network.KubeSpanFiltersConfig: struct endpoints?:[]string excludeAdvertisedNetworks@..1.13?:[]network.Prefix
  excludeAdvertisedNetworks@1.14..?:[]meta.Prefix
network.KubespanEndpointsConfigV1Alpha1: struct <:meta.Meta extraAnnouncedEndpoints:[]netip.AddrPort
network.Layer2VIPConfigV1Alpha1: struct <:meta.Meta name:string link:string
network.LinkAliasConfigV1Alpha1: struct <:meta.Meta name:string selector?:network.LinkSelector
network.LinkConfigV1Alpha1: struct <:meta.Meta name:string <:network.CommonLinkConfig
network.LinkSelector: struct match?:cel.Expression
network.NTPConfig: struct servers?:[]string useNTS@1.14..?:*bool
network.NameserverConfig: struct address@..1.13:network.Addr address@1.14..:meta.Addr
  protocol@1.14..?:nethelpers.DNSProtocol tlsServerName@1.14..?:string
network.PTPConfig: struct devices?:[]string
network.PortRange: leaf
network.PortRanges: []network.PortRange
network.Prefix: leaf
network.ResolverConfigV1Alpha1: struct <:meta.Meta nameservers?:[]network.NameserverConfig
  searchDomains?:network.SearchDomainsConfig hostDNS@1.14..?:network.HostDNSConfig
network.RouteConfig: struct destination@..1.13?:network.Prefix gateway@..1.13?:network.Addr
  source@..1.13?:network.Addr destination@1.14..?:meta.Prefix gateway@1.14..?:meta.Addr source@1.14..?:meta.Addr
  metric?:uint32 mtu?:uint32 table?:nethelpers.RoutingTable
network.RoutingRuleConfigV1Alpha1: struct <:meta.Meta name:string src@..1.13?:network.Prefix
  dst@..1.13?:network.Prefix src@1.14..?:meta.Prefix dst@1.14..?:meta.Prefix table:nethelpers.RoutingTable
  action?:nethelpers.RoutingRuleAction iifName?:string oifName?:string fwMark?:uint32 fwMask?:uint32
network.RuleConfigV1Alpha1: struct <:meta.Meta name:string portSelector:network.RulePortSelector
  ingress:!network.IngressConfig
network.RulePortSelector: struct ports:!network.PortRanges protocol:nethelpers.Protocol
network.SearchDomainList: []string
network.SearchDomainsConfig: struct domains@..1.13?:[]string domains@1.14..?:!network.SearchDomainList
  disableDefault?:*bool
network.StaticHostConfigV1Alpha1: struct <:meta.Meta name:string hostnames:[]string
network.TCPProbeConfigV1Alpha1: struct <:meta.Meta name:string <:network.CommonProbeConfig endpoint:string
  timeout?:time.Duration
network.TimeSyncConfigV1Alpha1: struct <:meta.Meta enabled?:*bool bootTimeout?:time.Duration ntp?:*network.NTPConfig
  ptp?:*network.PTPConfig
network.VLANConfigV1Alpha1: struct <:meta.Meta name:string vlanID?:uint16 vlanMode?:*nethelpers.VLANProtocol
  parent?:string <:network.CommonLinkConfig
network.VRFConfigV1Alpha1: struct <:meta.Meta name:string hardwareAddr?:nethelpers.HardwareAddr links?:[]string
  table:nethelpers.RoutingTable <:network.CommonLinkConfig
network.VethConfigV1Alpha1: struct <:meta.Meta name:string peer:network.VethPeerConfig <:network.CommonLinkConfig
network.VethPeerConfig: struct name:string <:network.CommonLinkConfig
network.WireguardConfigV1Alpha1: struct <:meta.Meta name:string privateKey?:string listenPort?:int firewallMark?:int
  peers?:[]network.WireguardPeer <:network.CommonLinkConfig
network.WireguardPeer: struct publicKey?:string presharedKey?:string endpoint@..1.13?:network.AddrPort
  endpoint@1.14..?:meta.AddrPort persistentKeepaliveInterval?:time.Duration allowedIPs@..1.13?:[]network.Prefix
  allowedIPs@1.14..?:[]meta.Prefix
runtime.DiskSelectorSpec: struct match?:cel.Expression
runtime.EnvironmentV1Alpha1: struct <:meta.Meta variables:{string}string
runtime.EtcFileConfigV1Alpha1: struct <:meta.Meta name:string mode:runtime.EtcFileMode contents:string
runtime.EtcFileMode: uint32
runtime.EventSinkV1Alpha1: struct <:meta.Meta endpoint:string
runtime.InstallerSpec: struct image?:string
runtime.KernelModuleConfigV1Alpha1: struct <:meta.Meta name:string parameters?:[]string
runtime.KmsgLogV1Alpha1: struct <:meta.Meta name:string url:meta.URL
runtime.OOMV1Alpha1: struct <:meta.Meta triggerExpression?:cel.Expression cgroupRankingExpression?:cel.Expression
  strictCgroupClassOrdering@1.13..?:*bool sampleInterval?:time.Duration
runtime.ProvisioningSpec: struct diskSelector?:runtime.DiskSelectorSpec wipe?:*bool
runtime.SecurityProfileConfigV1Alpha1: struct <:meta.Meta workloadIsolation?:*bool
runtime.SysctlConfigV1Alpha1: struct <:meta.Meta params:{string}string
runtime.SysfsConfigV1Alpha1: struct <:meta.Meta params:{string}string
runtime.UdevRulesConfigV1Alpha1: struct <:meta.Meta rules?:[]string
runtime.UnattendedInstallConfigV1Alpha1: struct <:meta.Meta reboot?:*bool installer:runtime.InstallerSpec
  provisioning:runtime.ProvisioningSpec
runtime.WatchdogTimerV1Alpha1: struct <:meta.Meta device:string timeout?:time.Duration
security.ImageKeylessVerifierV1Alpha1: struct issuer?:string subject?:string subjectRegex?:string
security.ImagePublicKeyVerifierV1Alpha1: struct certificate?:string
security.ImageVerificationConfigV1Alpha1: struct <:meta.Meta rules?:security.ImageVerificationRules
security.ImageVerificationRuleV1Alpha1: struct image?:string skip?:*bool deny?:*bool
  keyless?:*security.ImageKeylessVerifierV1Alpha1 publicKey?:*security.ImagePublicKeyVerifierV1Alpha1
security.ImageVerificationRules: []security.ImageVerificationRuleV1Alpha1
security.TrustedRootsConfigV1Alpha1: struct <:meta.Meta name:string certificates:string
siderolink.ConfigV1Alpha1: struct <:meta.Meta apiUrl:meta.URL uniqueToken@1.10..?:string
storage.LVMLogicalVolumeConfigV1Alpha1: struct <:meta.Meta name:string type:storage.LVMLogicalVolumeType
  mirrors?:*uint32 stripes?:*uint32 provisioning:storage.LVMLogicalVolumeProvisioningSpec
storage.LVMLogicalVolumeProvisioningSpec: struct volumeGroup:string minSize?:block.ByteSize maxSize?:block.Size
storage.LVMLogicalVolumeType: leaf
storage.LVMVolumeGroupConfigV1Alpha1: struct <:meta.Meta name:string provisioning:storage.ProvisioningSpec
storage.LVMVolumeSelectorSpec: struct match?:cel.Expression
storage.MDLevel: leaf
storage.MDMetadata: leaf
storage.ProvisioningSpec: struct volumeSelector?:storage.LVMVolumeSelectorSpec
storage.RAIDArrayConfigV1Alpha1: struct <:meta.Meta name:string level:storage.MDLevel metadata?:storage.MDMetadata
  provisioning:storage.RAIDProvisioningSpec
storage.RAIDProvisioningSpec: struct volumeSelector:storage.RAIDVolumeSelector
storage.RAIDVolumeSelector: struct match?:cel.Expression
time.Duration: leaf
v1alpha1.APIServerConfig: struct image?:string extraArgs@..1.12?:{string}string extraArgs@1.13..1.13?:v1alpha1.Args
  extraArgs@1.14..?:meta.Args extraVolumes?:[]v1alpha1.VolumeMountConfig env?:{string}string certSANs?:[]string
  disablePodSecurityPolicy?:*bool admissionControl?:v1alpha1.AdmissionPluginConfigList
  auditPolicy@..1.13?:!v1alpha1.Unstructured auditPolicy@1.14..?:!meta.Unstructured
  resources?:*v1alpha1.ResourcesConfig authorizationConfig?:v1alpha1.AuthorizationConfigAuthorizerConfigList
v1alpha1.AdminKubeconfigConfig: struct certLifetime?:time.Duration
v1alpha1.AdmissionPluginConfig: struct name:string configuration@..1.13:v1alpha1.Unstructured
  configuration@1.14..:meta.Unstructured
v1alpha1.AdmissionPluginConfigList: []*v1alpha1.AdmissionPluginConfig
v1alpha1.ArgValue: leaf
v1alpha1.Args: {string}v1alpha1.ArgValue
v1alpha1.AuthorizationConfigAuthorizerConfig: struct type:string name:string webhook@..1.13?:v1alpha1.Unstructured
  webhook@1.14..?:meta.Unstructured
v1alpha1.AuthorizationConfigAuthorizerConfigList: []*v1alpha1.AuthorizationConfigAuthorizerConfig
v1alpha1.Base64Bytes: []uint8
v1alpha1.Bond: struct interfaces:[]string deviceSelectors?:[]v1alpha1.NetworkDeviceSelector arpIPTarget?:[]string
  mode:string xmitHashPolicy?:string lacpRate?:string adActorSystem?:string arpValidate?:string arpAllTargets?:string
  primary?:string primaryReselect?:string failOverMac?:string adSelect?:string miimon?:uint32 updelay?:uint32
  downdelay?:uint32 arpInterval?:uint32 resendIgmp?:uint32 minLinks?:uint32 lpInterval?:uint32 packetsPerSlave?:uint32
  numPeerNotif?:uint8 tlbDynamicLb?:uint8 allSlavesActive?:uint8 useCarrier?:*bool adActorSysPrio?:uint16
  adUserPortKey?:uint16 peerNotifyDelay?:uint32
v1alpha1.Bridge: struct interfaces:[]string stp?:*v1alpha1.STP vlan?:*v1alpha1.BridgeVLAN
v1alpha1.BridgePort: struct master?:string
v1alpha1.BridgeVLAN: struct vlanFiltering?:*bool
v1alpha1.CNIConfig: struct name?:string urls?:[]string flannel?:*v1alpha1.FlannelCNIConfig
v1alpha1.ClusterConfig: struct id?:string secret?:string controlPlane@..1.13:*v1alpha1.ControlPlaneConfig
  controlPlane@1.14..?:*v1alpha1.ControlPlaneConfig clusterName?:string network?:*v1alpha1.ClusterNetworkConfig
  token?:string aescbcEncryptionSecret?:string secretboxEncryptionSecret?:string ca?:*x509.PEMEncodedCertificateAndKey
  acceptedCAs?:[]*x509.PEMEncodedCertificate aggregatorCA?:*x509.PEMEncodedCertificateAndKey
  serviceAccount?:*x509.PEMEncodedKey apiServer?:*v1alpha1.APIServerConfig
  controllerManager?:*v1alpha1.ControllerManagerConfig proxy?:*v1alpha1.ProxyConfig
  scheduler?:*v1alpha1.SchedulerConfig discovery?:*v1alpha1.ClusterDiscoveryConfig etcd?:*v1alpha1.EtcdConfig
  coreDNS?:*v1alpha1.CoreDNS externalCloudProvider?:*v1alpha1.ExternalCloudProviderConfig extraManifests?:[]string
  extraManifestHeaders?:{string}string inlineManifests?:v1alpha1.ClusterInlineManifests
  adminKubeconfig?:*v1alpha1.AdminKubeconfigConfig allowSchedulingOnMasters?:*bool
  allowSchedulingOnControlPlanes?:*bool
v1alpha1.ClusterDiscoveryConfig: struct enabled?:*bool registries:v1alpha1.DiscoveryRegistriesConfig
v1alpha1.ClusterInlineManifest: struct name:string contents:string
v1alpha1.ClusterInlineManifests: []v1alpha1.ClusterInlineManifest
v1alpha1.ClusterNetworkConfig: struct cni?:*v1alpha1.CNIConfig dnsDomain:string podSubnets:![]string
  serviceSubnets:![]string
v1alpha1.Config: struct version:string debug?:*bool persist?:*bool machine:*v1alpha1.MachineConfig
  cluster:*v1alpha1.ClusterConfig
v1alpha1.ControlPlaneConfig: struct endpoint:*v1alpha1.Endpoint localAPIServerPort?:int
v1alpha1.ControllerManagerConfig: struct image?:string extraArgs@..1.12?:{string}string
  extraArgs@1.13..1.13?:v1alpha1.Args extraArgs@1.14..?:meta.Args extraVolumes?:[]v1alpha1.VolumeMountConfig
  env?:{string}string resources?:*v1alpha1.ResourcesConfig
v1alpha1.CoreDNS: struct disabled?:*bool image?:string
v1alpha1.DHCPOptions: struct routeMetric:uint32 ipv4?:*bool ipv6?:*bool duidv6?:string
v1alpha1.Device: struct interface?:string deviceSelector?:*v1alpha1.NetworkDeviceSelector addresses?:[]string
  cidr?:string routes?:[]*v1alpha1.Route bond?:*v1alpha1.Bond bridge?:*v1alpha1.Bridge
  bridgePort?:*v1alpha1.BridgePort vlans?:v1alpha1.VlanList mtu?:int dhcp?:*bool ignore?:*bool dummy?:*bool
  dhcpOptions?:*v1alpha1.DHCPOptions wireguard?:*v1alpha1.DeviceWireguardConfig vip?:*v1alpha1.DeviceVIPConfig
v1alpha1.DeviceVIPConfig: struct ip?:string equinixMetal?:*v1alpha1.VIPEquinixMetalConfig
  hcloud?:*v1alpha1.VIPHCloudConfig
v1alpha1.DeviceWireguardConfig: struct privateKey?:string listenPort?:int firewallMark?:int
  peers?:[]*v1alpha1.DeviceWireguardPeer
v1alpha1.DeviceWireguardPeer: struct publicKey?:string endpoint?:string persistentKeepaliveInterval?:time.Duration
  allowedIPs?:[]string
v1alpha1.DiscoveryRegistriesConfig: struct kubernetes:v1alpha1.RegistryKubernetesConfig
  service:v1alpha1.RegistryServiceConfig
v1alpha1.DiskPartition: struct size?:v1alpha1.DiskSize mountpoint?:string
v1alpha1.DiskSize: leaf
v1alpha1.EncryptionConfig: struct provider:string keys:[]*v1alpha1.EncryptionKey cipher?:string keySize?:uint
  blockSize?:uint64 options?:[]string
v1alpha1.EncryptionKey: struct static?:*v1alpha1.EncryptionKeyStatic nodeID?:*v1alpha1.EncryptionKeyNodeID
  kms?:*v1alpha1.EncryptionKeyKMS slot:int tpm?:*v1alpha1.EncryptionKeyTPM
v1alpha1.EncryptionKeyKMS: struct endpoint:string
v1alpha1.EncryptionKeyNodeID: struct
v1alpha1.EncryptionKeyStatic: struct passphrase?:string
v1alpha1.EncryptionKeyTPM: struct checkSecurebootStatusOnEnroll?:*bool
v1alpha1.Endpoint: leaf
v1alpha1.EtcdConfig: struct image?:string ca:*x509.PEMEncodedCertificateAndKey extraArgs@..1.12?:{string}string
  extraArgs@1.13..1.13?:v1alpha1.Args extraArgs@1.14..?:meta.Args subnet?:string advertisedSubnets?:[]string
  listenSubnets?:[]string
v1alpha1.ExternalCloudProviderConfig: struct enabled?:*bool manifests?:[]string
v1alpha1.ExtraHost: struct ip:string aliases:[]string
v1alpha1.ExtraMount: struct destination:string type?:string source?:string options?:[]string
  uidMappings?:[]v1alpha1.LinuxIDMapping gidMappings?:[]v1alpha1.LinuxIDMapping
v1alpha1.FeaturesConfig: struct rbac?:*bool stableHostname?:*bool
  kubernetesTalosAPIAccess?:*v1alpha1.KubernetesTalosAPIAccessConfig apidCheckExtKeyUsage?:*bool
  diskQuotaSupport?:*bool kubePrism?:*v1alpha1.KubePrism hostDNS?:*v1alpha1.HostDNSConfig
  imageCache?:*v1alpha1.ImageCacheConfig nodeAddressSortAlgorithm?:string
v1alpha1.FileMode: uint32
v1alpha1.FlannelCNIConfig: struct extraArgs?:[]string kubeNetworkPoliciesEnabled@1.13..?:*bool
v1alpha1.HostDNSConfig: struct enabled?:*bool forwardKubeDNSToHost?:*bool resolveMemberNames?:*bool
v1alpha1.ImageCacheConfig: struct localEnabled?:*bool
v1alpha1.InstallConfig: struct disk?:string diskSelector?:*v1alpha1.InstallDiskSelector extraKernelArgs?:[]string
  image?:string extensions?:[]v1alpha1.InstallExtensionConfig bootloader?:*bool wipe:*bool legacyBIOSSupport?:*bool
  grubUseUKICmdline@1.12..?:*bool
v1alpha1.InstallDiskSelector: struct size?:*v1alpha1.InstallDiskSizeMatcher name?:string model?:string serial?:string
  modalias?:string uuid?:string wwid?:string type?:v1alpha1.InstallDiskType busPath?:string
v1alpha1.InstallDiskSizeMatcher: leaf
v1alpha1.InstallDiskType: string
v1alpha1.InstallExtensionConfig: struct image:string
v1alpha1.KernelConfig: struct modules?:[]*v1alpha1.KernelModuleConfig
v1alpha1.KernelModuleConfig: struct name:string parameters?:[]string
v1alpha1.KubePrism: struct enabled?:*bool port?:int
v1alpha1.KubeSpanFilters: struct endpoints?:[]string excludeAdvertisedNetworks@1.12..?:[]string
v1alpha1.KubeletConfig: struct image?:string clusterDNS?:[]string extraArgs@..1.12?:{string}string
  extraArgs@1.13..1.13?:v1alpha1.Args extraArgs@1.14..?:meta.Args extraMounts?:[]v1alpha1.ExtraMount
  extraConfig@..1.13?:v1alpha1.Unstructured credentialProviderConfig@..1.13?:v1alpha1.Unstructured
  extraConfig@1.14..?:meta.Unstructured credentialProviderConfig@1.14..?:meta.Unstructured
  defaultRuntimeSeccompProfileEnabled?:*bool registerWithFQDN?:*bool nodeIP?:*v1alpha1.KubeletNodeIPConfig
  skipNodeRegistration?:*bool disableManifestsDirectory?:*bool
v1alpha1.KubeletNodeIPConfig: struct validSubnets?:[]string
v1alpha1.KubernetesTalosAPIAccessConfig: struct enabled?:*bool allowedRoles?:[]string
  allowedKubernetesNamespaces?:[]string
v1alpha1.LinuxIDMapping: struct containerID:uint32 hostID:uint32 size:uint32
v1alpha1.LoggingConfig: struct destinations:[]v1alpha1.LoggingDestination
v1alpha1.LoggingDestination: struct endpoint:*v1alpha1.Endpoint format:string extraTags?:{string}string
v1alpha1.MachineConfig: struct type:string token:string ca?:*x509.PEMEncodedCertificateAndKey
  acceptedCAs?:[]*x509.PEMEncodedCertificate certSANs:[]string controlPlane?:*v1alpha1.MachineControlPlaneConfig
  kubelet?:*v1alpha1.KubeletConfig pods@..1.13?:[]v1alpha1.Unstructured pods@1.14..?:[]meta.Unstructured
  network?:*v1alpha1.NetworkConfig disks?:[]*v1alpha1.MachineDisk install?:*v1alpha1.InstallConfig
  files?:[]*v1alpha1.MachineFile env?:{string}string time?:*v1alpha1.TimeConfig sysctls?:{string}string
  sysfs?:{string}string registries?:v1alpha1.RegistriesConfig
  systemDiskEncryption?:*v1alpha1.SystemDiskEncryptionConfig features?:*v1alpha1.FeaturesConfig
  udev?:*v1alpha1.UdevConfig logging?:*v1alpha1.LoggingConfig kernel?:*v1alpha1.KernelConfig
  seccompProfiles?:[]*v1alpha1.MachineSeccompProfile baseRuntimeSpecOverrides@..1.13?:v1alpha1.Unstructured
  baseRuntimeSpecOverrides@1.14..?:meta.Unstructured nodeLabels?:{string}string nodeAnnotations?:{string}string
  nodeTaints?:{string}string
v1alpha1.MachineControlPlaneConfig: struct controllerManager?:*v1alpha1.MachineControllerManagerConfig
  scheduler?:*v1alpha1.MachineSchedulerConfig
v1alpha1.MachineControllerManagerConfig: struct disabled?:*bool
v1alpha1.MachineDisk: struct device?:string partitions?:[]*v1alpha1.DiskPartition
v1alpha1.MachineFile: struct content:string permissions:v1alpha1.FileMode path:string op:string
v1alpha1.MachineSchedulerConfig: struct disabled?:*bool
v1alpha1.MachineSeccompProfile: struct name:string value@..1.13:v1alpha1.Unstructured value@1.14..:meta.Unstructured
v1alpha1.NetworkConfig: struct hostname?:string interfaces?:v1alpha1.NetworkDeviceList nameservers?:[]string
  searchDomains?:[]string extraHostEntries?:[]*v1alpha1.ExtraHost kubespan?:*v1alpha1.NetworkKubeSpan
  disableSearchDomain?:*bool
v1alpha1.NetworkDeviceList: []*v1alpha1.Device
v1alpha1.NetworkDeviceSelector: struct busPath?:string hardwareAddr?:string permanentAddr?:string pciID?:string
  driver?:string physical?:*bool
v1alpha1.NetworkKubeSpan: struct enabled?:*bool advertiseKubernetesNetworks?:*bool allowDownPeerBypass?:*bool
  harvestExtraEndpoints?:*bool mtu?:*uint32 filters?:*v1alpha1.KubeSpanFilters
v1alpha1.ProxyConfig: struct disabled?:*bool image?:string mode?:string extraArgs@..1.12?:{string}string
  extraArgs@1.13..1.13?:v1alpha1.Args extraArgs@1.14..?:meta.Args
v1alpha1.RegistriesConfig: struct mirrors?:{string}*v1alpha1.RegistryMirrorConfig
  config?:{string}*v1alpha1.RegistryConfig
v1alpha1.RegistryAuthConfig: struct username?:string password?:string auth?:string identityToken?:string
v1alpha1.RegistryConfig: struct tls?:*v1alpha1.RegistryTLSConfig auth?:*v1alpha1.RegistryAuthConfig
v1alpha1.RegistryKubernetesConfig: struct disabled?:*bool
v1alpha1.RegistryMirrorConfig: struct endpoints:[]string overridePath?:*bool skipFallback?:*bool
v1alpha1.RegistryServiceConfig: struct disabled?:*bool endpoint?:string
v1alpha1.RegistryTLSConfig: struct clientIdentity?:*x509.PEMEncodedCertificateAndKey ca?:v1alpha1.Base64Bytes
  insecureSkipVerify?:*bool
v1alpha1.ResourcesConfig: struct requests@..1.13?:v1alpha1.Unstructured limits@..1.13?:v1alpha1.Unstructured
  requests@1.14..?:meta.Unstructured limits@1.14..?:meta.Unstructured
v1alpha1.Route: struct network:string gateway:string source?:string metric?:uint32 mtu?:uint32
v1alpha1.STP: struct enabled?:*bool
v1alpha1.SchedulerConfig: struct image?:string extraArgs@..1.12?:{string}string extraArgs@1.13..1.13?:v1alpha1.Args
  extraArgs@1.14..?:meta.Args extraVolumes?:[]v1alpha1.VolumeMountConfig env?:{string}string
  resources?:*v1alpha1.ResourcesConfig config@..1.13?:v1alpha1.Unstructured config@1.14..?:meta.Unstructured
v1alpha1.SystemDiskEncryptionConfig: struct state?:*v1alpha1.EncryptionConfig ephemeral?:*v1alpha1.EncryptionConfig
v1alpha1.TimeConfig: struct disabled?:*bool servers?:[]string bootTimeout?:time.Duration
v1alpha1.UdevConfig: struct rules?:[]string
v1alpha1.Unstructured: struct <:{string}any
v1alpha1.VIPEquinixMetalConfig: struct apiToken:string
v1alpha1.VIPHCloudConfig: struct apiToken:string
v1alpha1.Vlan: struct addresses?:[]string cidr?:string routes:[]*v1alpha1.Route dhcp?:*bool vlanId:uint16 mtu?:uint32
  vip?:*v1alpha1.DeviceVIPConfig dhcpOptions?:*v1alpha1.DHCPOptions
v1alpha1.VlanList: []*v1alpha1.Vlan
v1alpha1.VolumeMountConfig: struct hostPath:string mountPath:string readonly?:bool
x509.PEMEncodedCertificate: leaf
x509.PEMEncodedCertificateAndKey: leaf
x509.PEMEncodedKey: leaf
`;

/** Documents with a kind: since which minor, of which type, and whether they have names. */
export const kindTable = `
BGPInstanceConfig: 1.14.. network.BGPInstanceConfigV1Alpha1 named
BlackholeRouteConfig: 1.13.. network.BlackholeRouteConfigV1Alpha1 named
BondConfig: 1.12.. network.BondConfigV1Alpha1 named
BridgeConfig: 1.12.. network.BridgeConfigV1Alpha1 named
CRIBaseRuntimeSpecConfig: 1.14.. cri.CRIBaseRuntimeSpecConfigV1Alpha1
CRICustomizationConfig: 1.14.. cri.CRICustomizationConfigV1Alpha1 named
ContainerConfig: 1.14.. container.ContainerConfigV1Alpha1 named
DHCPv4Config: 1.12.. network.DHCPv4ConfigV1Alpha1 named
DHCPv6Config: 1.12.. network.DHCPv6ConfigV1Alpha1 named
DiscoveryIdentityConfig: 1.14.. cluster.DiscoveryIdentityConfigV1Alpha1
DiscoveryServiceConfig: 1.14.. cluster.DiscoveryServiceConfigV1Alpha1 named
DummyLinkConfig: 1.12.. network.DummyLinkConfigV1Alpha1 named
EnvironmentConfig: 1.13.. runtime.EnvironmentV1Alpha1
EtcFileConfig: 1.14.. runtime.EtcFileConfigV1Alpha1 named
EthernetConfig: 1.10.. network.EthernetConfigV1Alpha1 named
EventSinkConfig: .. runtime.EventSinkV1Alpha1
ExistingVolumeConfig: 1.11.. block.ExistingVolumeConfigV1Alpha1 named
ExtensionServiceConfig: .. extensions.ServiceConfigV1Alpha1 named
ExternalVolumeConfig: 1.13.. block.ExternalVolumeConfigV1Alpha1 named
FilesystemScrubConfig: 1.14.. block.FilesystemScrubConfigV1Alpha1
FilesystemTrimConfig: 1.14.. block.FilesystemTrimConfigV1Alpha1
HCloudVIPConfig: 1.12.. network.HCloudVIPConfigV1Alpha1 named
HTTPProbeConfig: 1.14.. network.HTTPProbeConfigV1Alpha1 named
HostnameConfig: 1.12.. network.HostnameConfigV1Alpha1
ImageCacheConfig: 1.14.. cri.ImageCacheConfigV1Alpha1
ImageVerificationConfig: 1.13.. security.ImageVerificationConfigV1Alpha1
KernelModuleConfig: 1.14.. runtime.KernelModuleConfigV1Alpha1 named
KmsgLogConfig: .. runtime.KmsgLogV1Alpha1 named
KubeAPIServerCAConfig: 1.14.. k8s.KubeAPIServerCAConfigV1Alpha1
KubeAPIServerConfig: 1.14.. k8s.KubeAPIServerConfigV1Alpha1
KubeAdmissionControlConfig: 1.14.. k8s.KubeAdmissionControlConfigV1Alpha1 named
KubeAggregatorCAConfig: 1.14.. k8s.KubeAggregatorCAConfigV1Alpha1
KubeAuditPolicyConfig: 1.14.. k8s.KubeAuditPolicyConfigV1Alpha1
KubeAuthenticationConfig: 1.14.. k8s.KubeAuthenticationConfigV1Alpha1
KubeAuthorizerConfig: 1.14.. k8s.KubeAuthorizerConfigV1Alpha1 named
KubeClusterConfig: 1.14.. k8s.KubeClusterConfigV1Alpha1
KubeControllerManagerConfig: 1.14.. k8s.KubeControllerManagerConfigV1Alpha1
KubeCoreDNSConfig: 1.14.. k8s.KubeCoreDNSConfigV1Alpha1
KubeCredentialProviderConfig: 1.14.. k8s.KubeCredentialProviderConfigV1Alpha1
KubeEtcdEncryptionConfig: 1.14.. k8s.KubeEtcdEncryptionConfigV1Alpha1
KubeExternalManifestConfig: 1.14.. k8s.KubeExternalManifestConfigV1Alpha1 named
KubeFlannelCNIConfig: 1.14.. k8s.KubeFlannelCNIConfigV1Alpha1
KubeInlineManifestConfig: 1.14.. k8s.KubeInlineManifestConfigV1Alpha1 named
KubeNetworkConfig: 1.14.. k8s.KubeNetworkConfigV1Alpha1
KubeNodeConfig: 1.14.. k8s.KubeNodeConfigV1Alpha1
KubePrismConfig: 1.14.. k8s.KubePrismConfigV1Alpha1
KubeProxyConfig: 1.14.. k8s.KubeProxyConfigV1Alpha1
KubeSchedulerConfig: 1.14.. k8s.KubeSchedulerConfigV1Alpha1
KubeServiceAccountConfig: 1.14.. k8s.KubeServiceAccountConfigV1Alpha1
KubeSpanConfig: 1.13.. network.KubeSpanConfigV1Alpha1
KubeSpanEndpointsConfig: .. network.KubespanEndpointsConfigV1Alpha1
KubeStaticPodConfig: 1.14.. k8s.KubeStaticPodConfigV1Alpha1 named
KubeTalosAPIAccessConfig: 1.14.. k8s.KubeTalosAPIAccessConfigV1Alpha1
KubeletConfig: 1.14.. k8s.KubeletConfigV1Alpha1
LVMLogicalVolumeConfig: 1.14.. storage.LVMLogicalVolumeConfigV1Alpha1 named
LVMVolumeGroupConfig: 1.14.. storage.LVMVolumeGroupConfigV1Alpha1 named
Layer2VIPConfig: 1.12.. network.Layer2VIPConfigV1Alpha1 named
LinkAliasConfig: 1.12.. network.LinkAliasConfigV1Alpha1 named
LinkConfig: 1.12.. network.LinkConfigV1Alpha1 named
NetworkDefaultActionConfig: .. network.DefaultActionConfigV1Alpha1
NetworkRuleConfig: .. network.RuleConfigV1Alpha1 named
OOMConfig: 1.12.. runtime.OOMV1Alpha1
PCIDriverRebindConfig: 1.10.. hardware.PCIDriverRebindConfigV1Alpha1 named
RAIDArrayConfig: 1.14.. storage.RAIDArrayConfigV1Alpha1 named
RawVolumeConfig: 1.11.. block.RawVolumeConfigV1Alpha1 named
RegistryAuthConfig: 1.12.. cri.RegistryAuthConfigV1Alpha1 named
RegistryMirrorConfig: 1.12.. cri.RegistryMirrorConfigV1Alpha1 named
RegistryTLSConfig: 1.12.. cri.RegistryTLSConfigV1Alpha1 named
ResolverConfig: 1.12.. network.ResolverConfigV1Alpha1
RoutingRuleConfig: 1.13.. network.RoutingRuleConfigV1Alpha1 named
SecurityProfileConfig: 1.14.. runtime.SecurityProfileConfigV1Alpha1
SideroLinkConfig: .. siderolink.ConfigV1Alpha1
StaticHostConfig: 1.12.. network.StaticHostConfigV1Alpha1 named
SwapVolumeConfig: 1.11.. block.SwapVolumeConfigV1Alpha1 named
SysctlConfig: 1.14.. runtime.SysctlConfigV1Alpha1
SysfsConfig: 1.14.. runtime.SysfsConfigV1Alpha1
TCPProbeConfig: 1.13.. network.TCPProbeConfigV1Alpha1 named
TimeSyncConfig: 1.12.. network.TimeSyncConfigV1Alpha1
TrustedRootsConfig: .. security.TrustedRootsConfigV1Alpha1 named
UdevRulesConfig: 1.14.. runtime.UdevRulesConfigV1Alpha1
UnattendedInstallConfig: 1.14.. runtime.UnattendedInstallConfigV1Alpha1
UserVolumeConfig: 1.10.. block.UserVolumeConfigV1Alpha1 named
VLANConfig: 1.12.. network.VLANConfigV1Alpha1 named
VRFConfig: 1.13.. network.VRFConfigV1Alpha1 named
VethConfig: 1.14.. network.VethConfigV1Alpha1 named
VolumeConfig: .. block.VolumeConfigV1Alpha1 named
WatchdogTimerConfig: .. runtime.WatchdogTimerV1Alpha1
WireguardConfig: 1.12.. network.WireguardConfigV1Alpha1 named
ZswapConfig: 1.11.. block.ZswapConfigV1Alpha1
`;

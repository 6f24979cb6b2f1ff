/**
 * Fields of the types that configurations are made of, over the minors 1.9 to 1.14, in the order in which Talos writes them:
 * `key[from-to]:type?`, with minors where a field is not in all of them, and `?` where it is left out when empty.
 * Types: `*` may be absent, `[` list of, `{string}` map to, `#Name#` a name of Go's own for it, `$` read from text, `!` read in its own way.
 */
export const fieldsOfTypes: Readonly<Record<string, string>> = {
  'block.DiskSelector': 'match:$cel.Expression?',
  'block.EncryptionKey':
    'slot:int static:*block.EncryptionKeyStatic? nodeID:*block.EncryptionKeyNodeID? kms:*block.EncryptionKeyKMS? tpm:*block.EncryptionKeyTPM? lockToState[11-]:*bool?',
  'block.EncryptionKeyKMS': 'endpoint:string',
  'block.EncryptionKeyNodeID': '',
  'block.EncryptionKeyStatic': 'passphrase:string?',
  'block.EncryptionKeyTPM': 'options[12-]:*block.EncryptionKeyTPMOptions? checkSecurebootStatusOnEnroll:*bool?',
  'block.EncryptionKeyTPMOptions': 'pcrs:[int?',
  'block.EncryptionSpec':
    'provider:$block.EncryptionProviderType keys:[block.EncryptionKey cipher:string? keySize:uint? blockSize:uint64? options:[string? allowDiscards[14-]:*bool?',
  'block.ExistingMountSpec': 'readOnly:*bool? disableAccessTime:*bool? secure:*bool?',
  'block.ExistingVolumeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string discovery:block.VolumeDiscoverySpec? mount[-12]:block.MountSpec? mount[13-]:block.ExistingMountSpec? trim[14-]:*block.TrimConfig? scrub[14-]:*block.ScrubConfig?',
  'block.ExternalMountSpec':
    'readOnly:*bool? disableAccessTime:*bool? secure:*bool? virtiofs:*block.VirtiofsMountSpec?',
  'block.ExternalVolumeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string filesystemType:$block.FilesystemType mount:block.ExternalMountSpec?',
  'block.FilesystemScrubConfigV1Alpha1': 'apiVersion:string? kind:string interval:duration?',
  'block.FilesystemSpec': 'type:$block.FilesystemType? projectQuotaSupport[11-]:*bool? xfs[14-]:*block.XFSSpec?',
  'block.FilesystemTrimConfigV1Alpha1': 'apiVersion:string? kind:string interval:duration?',
  'block.MountSpec': 'secure[13-]:*bool? disableAccessTime[14-]:*bool? readOnly[-12]:*bool?',
  'block.ProvisioningSpec':
    'diskSelector:block.DiskSelector? grow:*bool? minSize:$block.ByteSize? maxSize[-11]:$block.ByteSize? maxSize[12-]:$block.Size?',
  'block.RawVolumeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string provisioning:block.ProvisioningSpec? encryption:block.EncryptionSpec?',
  'block.ScrubConfig': 'enabled:*bool? interval:duration?',
  'block.SwapVolumeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string provisioning:block.ProvisioningSpec? encryption:block.EncryptionSpec?',
  'block.SystemVolumeFilesystemSpec': 'xfs:*block.XFSSpec?',
  'block.TrimConfig': 'enabled:*bool? interval:duration?',
  'block.UserMountSpec': 'disableAccessTime:*bool? secure:*bool?',
  'block.UserVolumeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string volumeType[12-]:*$block.VolumeType? provisioning:block.ProvisioningSpec? filesystem:block.FilesystemSpec? encryption:block.EncryptionSpec? mount[13-]:block.UserMountSpec? trim[14-]:*block.TrimConfig? scrub[14-]:*block.ScrubConfig?',
  'block.VirtiofsMountSpec': 'tag:string',
  'block.VolumeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string provisioning:block.ProvisioningSpec? filesystem[14-]:block.SystemVolumeFilesystemSpec? encryption[11-]:block.EncryptionSpec? mount[13-]:block.MountSpec? trim[14-]:*block.TrimConfig? scrub[14-]:*block.ScrubConfig?',
  'block.VolumeDiscoverySpec': 'volumeSelector:block.VolumeSelector?',
  'block.VolumeSelector': 'match:$cel.Expression?',
  'block.XFSSpec': 'minAllocationGroupSize:$block.ByteSize?',
  'block.ZswapConfigV1Alpha1': 'apiVersion:string? kind:string maxPoolPercent:*int? shrinkerEnabled:*bool?',
  'cluster.DiscoveryIdentityConfigV1Alpha1': 'apiVersion:string? kind:string clusterID:string clusterSecret:string',
  'cluster.DiscoveryServiceConfigV1Alpha1': 'apiVersion:string? kind:string name:string endpoint:!meta.URL',
  'container.ContainerCapabilities': 'add:[string? drop:[string?',
  'container.ContainerConfigV1Alpha1':
    'apiVersion:string? kind:string name:string image:string entrypoint:[string? args:[string? workingDir:string? runAs:*container.ContainerRunAs? environment:[string? mounts:[container.ContainerMount? security:*container.ContainerSecurity? network:*container.ContainerNetwork? resources:*container.ContainerResources? dependsOn:*container.ContainerDependsOn?',
  'container.ContainerDependsOn': 'paths:[string? networks:[string? time:*bool? containers:[string?',
  'container.ContainerMount':
    'userVolume:*container.UserVolumeMount? tmpfs:*container.TmpfsMount? hostPath:*container.HostPathMount?',
  'container.ContainerNetwork': 'mode:string?',
  'container.ContainerResourceLimits': 'cpu:string? memory:string?',
  'container.ContainerResources': 'limits:*container.ContainerResourceLimits?',
  'container.ContainerRunAs': 'uid:*int32? gid:*int32?',
  'container.ContainerSecurity': 'profile:string? capabilities:*container.ContainerCapabilities? machinedAccess:bool?',
  'container.HostPathMount': 'source:string destination:string options:[string?',
  'container.TmpfsMount': 'destination:string size:string? options:[string?',
  'container.UserVolumeMount': 'name:string destination:string options:[string?',
  'cri.CRIBaseRuntimeSpecConfigV1Alpha1': 'apiVersion:string? kind:string overrides:meta.Unstructured?',
  'cri.CRICustomizationConfigV1Alpha1': 'apiVersion:string? kind:string name:string content:string',
  'cri.ImageCacheConfigV1Alpha1': 'apiVersion:string? kind:string local:cri.LocalImageCacheConfig',
  'cri.LocalImageCacheConfig': 'enabled:*bool?',
  'cri.RegistryAuthConfigV1Alpha1':
    'apiVersion:string? kind:string name:string username:string? password:string? auth:string? identityToken:string?',
  'cri.RegistryEndpoint': 'url:!meta.URL overridePath:*bool?',
  'cri.RegistryMirrorConfigV1Alpha1':
    'apiVersion:string? kind:string name:string endpoints:[cri.RegistryEndpoint? skipFallback:*bool?',
  'cri.RegistryTLSConfigV1Alpha1':
    'apiVersion:string? kind:string name:string clientIdentity:*meta.CertificateAndKey? ca:string? insecureSkipVerify:*bool?',
  'extensions.ConfigFile': 'content:string mountPath:string',
  'extensions.ServiceConfigV1Alpha1':
    'apiVersion:string? kind:string name:string configFiles:#extensions.ConfigFileList#[extensions.ConfigFile? environment:[string?',
  'hardware.PCIDriverRebindConfigV1Alpha1': 'apiVersion:string? kind:string name:string targetDriver:string',
  'k8s.AcceptedServiceAccountConfig': 'publicKeys:[string? issuers:[!meta.URL? audiences:[string?',
  'k8s.IssuerServiceAccountConfig': 'privateKey:string issuerURL:!meta.URL',
  'k8s.KubeAPIServerCAConfigV1Alpha1':
    'apiVersion:string? kind:string issuingCA:*meta.CertificateAndKey? acceptedCAs:[string?',
  'k8s.KubeAPIServerConfigV1Alpha1':
    'apiVersion:string? kind:string image:string extraArgs:{string}!meta.ArgValue? env:{string}string? resources:k8s.ResourcesConfig? apiPort:*int? certExtraSANs:[string? startupProbes:*bool?',
  'k8s.KubeAdmissionControlConfigV1Alpha1':
    'apiVersion:string? kind:string name:string configuration:meta.Unstructured',
  'k8s.KubeAggregatorCAConfigV1Alpha1':
    'apiVersion:string? kind:string issuingCA:*meta.CertificateAndKey? acceptedCAs:[string?',
  'k8s.KubeAuditPolicyConfigV1Alpha1': 'apiVersion:string? kind:string configuration:meta.Unstructured',
  'k8s.KubeAuthenticationConfigV1Alpha1': 'apiVersion:string? kind:string configuration:meta.Unstructured',
  'k8s.KubeAuthorizerConfigV1Alpha1':
    'apiVersion:string? kind:string name:string type:string webhook:meta.Unstructured?',
  'k8s.KubeClusterConfigV1Alpha1': 'apiVersion:string? kind:string clusterName:string endpoint:!meta.URL',
  'k8s.KubeControllerManagerConfigV1Alpha1':
    'apiVersion:string? kind:string enabled:*bool? image:string extraArgs:{string}!meta.ArgValue? env:{string}string? resources:k8s.ResourcesConfig?',
  'k8s.KubeCoreDNSConfigV1Alpha1': 'apiVersion:string? kind:string enabled:*bool? image:string?',
  'k8s.KubeCredentialProviderConfigV1Alpha1': 'apiVersion:string? kind:string configuration:meta.Unstructured',
  'k8s.KubeEtcdEncryptionConfigV1Alpha1': 'apiVersion:string? kind:string config:meta.Unstructured',
  'k8s.KubeExternalManifestConfigV1Alpha1':
    'apiVersion:string? kind:string name:string headers:{string}string? url:!meta.URL',
  'k8s.KubeFlannelCNIConfigV1Alpha1':
    'apiVersion:string? kind:string backendType:string backendPort:uint16? backendMTU:uint32? backendExtraConfig:meta.Unstructured? resources:k8s.ResourcesConfig? extraArgs:[string? kubeNetworkPoliciesEnabled:*bool?',
  'k8s.KubeInlineManifestConfigV1Alpha1': 'apiVersion:string? kind:string name:string manifest:string',
  'k8s.KubeNetworkConfigV1Alpha1':
    'apiVersion:string? kind:string dnsDomain:string podSubnets:[$meta.Prefix serviceSubnets:[$meta.Prefix nodeCIDRMaskSizeIPv4:int? nodeCIDRMaskSizeIPv6:int?',
  'k8s.KubeNodeConfigV1Alpha1':
    'apiVersion:string? kind:string skipNodeRegistration:*bool? registerWithFQDN:*bool? nodeIP:k8s.NodeIPConfig labels:{string}string? annotations:{string}string? taints:{string}string?',
  'k8s.KubePrismConfigV1Alpha1': 'apiVersion:string? kind:string port:int tlsServerName:string?',
  'k8s.KubeProxyConfigV1Alpha1':
    'apiVersion:string? kind:string enabled:*bool? image:string? mode:string? config:meta.Unstructured extraArgs:{string}!meta.ArgValue? resources:k8s.ResourcesConfig?',
  'k8s.KubeSchedulerConfigV1Alpha1':
    'apiVersion:string? kind:string enabled:*bool? image:string config:meta.Unstructured extraArgs:{string}!meta.ArgValue? env:{string}string? resources:k8s.ResourcesConfig?',
  'k8s.KubeServiceAccountConfigV1Alpha1':
    'apiVersion:string? kind:string issuer:k8s.IssuerServiceAccountConfig accepted:k8s.AcceptedServiceAccountConfig?',
  'k8s.KubeStaticPodConfigV1Alpha1': 'apiVersion:string? kind:string name:string pod:meta.Unstructured',
  'k8s.KubeTalosAPIAccessConfigV1Alpha1':
    'apiVersion:string? kind:string allowedRoles:[string? allowedKubernetesNamespaces:[string?',
  'k8s.KubeletConfigV1Alpha1':
    'apiVersion:string? kind:string image:string config:meta.Unstructured extraArgs:{string}!meta.ArgValue? clusterDNS:[string? defaultRuntimeSeccompProfileEnabled:*bool?',
  'k8s.NodeIPConfig': 'validSubnets:[string?',
  'k8s.ResourcesConfig': 'requests:meta.Unstructured? limits:meta.Unstructured?',
  'meta.ArgValue': '',
  'meta.CertificateAndKey': 'cert:string? key:string?',
  'meta.URL': 'url:*url.URL',
  'meta.Unstructured': 'object:{string}any',
  'network.AddressConfig': 'address:$netip.Prefix routePriority:*uint32?',
  'network.BGPBFDConfig': 'transmitInterval:duration? receiveInterval:duration? detectMultiplier:uint8?',
  'network.BGPImportRoute': 'bgpInstance:string prefixes:[$meta.Prefix',
  'network.BGPInstanceConfigV1Alpha1':
    'apiVersion:string? kind:string name:string vrf:string? localASN:uint32 routerID:$meta.Addr? routeSource:$meta.Addr? advertise:[string? multipath:*bool? maxPaths:uint8? installRoutes:*bool? importRoutes:[network.BGPImportRoute? neighbors:[network.BGPNeighborConfig?',
  'network.BGPNeighborConfig':
    'address:$meta.Addr? link:string? peerASN:uint32? localASN:uint32? passive:bool? holdTime:duration? bfd:*network.BGPBFDConfig?',
  'network.BlackholeRouteConfigV1Alpha1': 'apiVersion:string? kind:string name:string metric:uint32?',
  'network.BondConfigV1Alpha1':
    'apiVersion:string? kind:string name:string hardwareAddr:$nethelpers.HardwareAddr? links:[string? bondMode:*$nethelpers.BondMode? miimon:*uint32? updelay:*uint32? downdelay:*uint32? useCarrier:*bool? xmitHashPolicy:*$nethelpers.BondXmitHashPolicy? arpInterval:*uint32? arpIpTargets:[$netip.Addr? nsIp6Targets:[$netip.Addr? arpValidate:*$nethelpers.ARPValidate? arpAllTargets:*$nethelpers.ARPAllTargets? lacpRate:*$nethelpers.LACPRate? failOverMac:*$nethelpers.FailOverMAC? adSelect:*$nethelpers.ADSelect? adActorSysPrio:*uint16? adUserPortKey:*uint16? adLACPActive:*$nethelpers.ADLACPActive? primaryReselect:*$nethelpers.PrimaryReselect? resendIGMP:*uint32? minLinks:*uint32? lpInterval:*uint32? packetsPerSlave:*uint32? numPeerNotif:*uint8? tlbLogicalLb:*uint8? allSlavesActive:*uint8? peerNotifDelay:*uint32? missedMax:*uint8? up:*bool? mtu:uint32? addresses:[network.AddressConfig? routes:[network.RouteConfig? multicast:*bool?',
  'network.BridgeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string hardwareAddr:$nethelpers.HardwareAddr? links:[string? stp:network.BridgeSTPConfig? vlan:network.BridgeVLANConfig? up:*bool? mtu:uint32? addresses:[network.AddressConfig? routes:[network.RouteConfig? multicast:*bool?',
  'network.BridgeSTPConfig': 'enabled:*bool?',
  'network.BridgeVLANConfig': 'filtering:*bool?',
  'network.DHCPv4ConfigV1Alpha1':
    'apiVersion:string? kind:string name:string routeMetric:uint32? ignoreHostname:*bool? ignoreRoutes[14-]:*bool? clientIdentifier:*$nethelpers.ClientIdentifier? duidRaw:$nethelpers.HardwareAddr?',
  'network.DHCPv6ConfigV1Alpha1':
    'apiVersion:string? kind:string name:string routeMetric:uint32? ignoreHostname:*bool? clientIdentifier:*$nethelpers.ClientIdentifier? duidRaw:$nethelpers.HardwareAddr?',
  'network.DefaultActionConfigV1Alpha1': 'apiVersion:string? kind:string ingress:$nethelpers.DefaultAction',
  'network.DummyLinkConfigV1Alpha1':
    'apiVersion:string? kind:string name:string hardwareAddr:$nethelpers.HardwareAddr? up:*bool? mtu:uint32? addresses:[network.AddressConfig? routes:[network.RouteConfig? multicast:*bool?',
  'network.EthernetChannelsConfig': 'rx:*uint32? tx:*uint32? other:*uint32? combined:*uint32?',
  'network.EthernetConfigV1Alpha1':
    'apiVersion:string? kind:string name:string features:{string}bool? rings:*network.EthernetRingsConfig? channels:*network.EthernetChannelsConfig? wakeOnLan[12-]:[$nethelpers.WOLMode?',
  'network.EthernetRingsConfig':
    'rx:*uint32? tx:*uint32? rx-mini:*uint32? rx-jumbo:*uint32? rx-buf-len:*uint32? cqe-size:*uint32? tx-push:*bool? rx-push:*bool? tx-push-buf-len:*uint32? tcp-data-split:*bool?',
  'network.HCloudVIPConfigV1Alpha1': 'apiVersion:string? kind:string name:string link:string apiToken:string',
  'network.HTTPProbeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string interval:duration? failureThreshold:int? url:!meta.URL timeout:duration?',
  'network.HostDNSConfig': 'enabled:*bool? forwardKubeDNSToHost:*bool? resolveMemberNames:*bool?',
  'network.HostnameConfigV1Alpha1':
    'apiVersion:string? kind:string auto:*$nethelpers.AutoHostnameKind? hostname:string?',
  'network.IngressRule': 'subnet:$netip.Prefix except[-13]:$network.Prefix? except[14-]:$meta.Prefix?',
  'network.KubeSpanConfigV1Alpha1':
    'apiVersion:string? kind:string enabled:*bool? advertiseKubernetesNetworks:*bool? allowDownPeerBypass:*bool? harvestExtraEndpoints:*bool? mtu:*uint32? filters:*network.KubeSpanFiltersConfig?',
  'network.KubeSpanFiltersConfig':
    'endpoints:[string? excludeAdvertisedNetworks[-13]:[$network.Prefix? excludeAdvertisedNetworks[14-]:[$meta.Prefix?',
  'network.KubespanEndpointsConfigV1Alpha1': 'apiVersion:string? kind:string extraAnnouncedEndpoints:[$netip.AddrPort',
  'network.Layer2VIPConfigV1Alpha1': 'apiVersion:string? kind:string name:string link:string',
  'network.LinkAliasConfigV1Alpha1': 'apiVersion:string? kind:string name:string selector:network.LinkSelector?',
  'network.LinkConfigV1Alpha1':
    'apiVersion:string? kind:string name:string up:*bool? mtu:uint32? addresses:[network.AddressConfig? routes:[network.RouteConfig? multicast:*bool?',
  'network.LinkSelector': 'match:$cel.Expression?',
  'network.NTPConfig': 'servers:[string? useNTS[14-]:*bool?',
  'network.NameserverConfig':
    'address[-13]:$network.Addr address[14-]:$meta.Addr protocol[14-]:$nethelpers.DNSProtocol? tlsServerName[14-]:string?',
  'network.PTPConfig': 'devices:[string?',
  'network.PortRange': 'lo:uint16 hi:uint16',
  'network.ResolverConfigV1Alpha1':
    'apiVersion:string? kind:string nameservers:[network.NameserverConfig? searchDomains:network.SearchDomainsConfig? hostDNS[14-]:network.HostDNSConfig?',
  'network.RouteConfig':
    'destination[-13]:$network.Prefix? destination[14-]:$meta.Prefix? gateway[-13]:$network.Addr? gateway[14-]:$meta.Addr? source[-13]:$network.Addr? source[14-]:$meta.Addr? metric:uint32? mtu:uint32? table:$nethelpers.RoutingTable?',
  'network.RoutingRuleConfigV1Alpha1':
    'apiVersion:string? kind:string name:string src[-13]:$network.Prefix? src[14-]:$meta.Prefix? dst[-13]:$network.Prefix? dst[14-]:$meta.Prefix? table:$nethelpers.RoutingTable action:$nethelpers.RoutingRuleAction? iifName:string? oifName:string? fwMark:uint32? fwMask:uint32?',
  'network.RuleConfigV1Alpha1':
    'apiVersion:string? kind:string name:string portSelector:network.RulePortSelector ingress:#network.IngressConfig#[network.IngressRule',
  'network.RulePortSelector': 'ports:#network.PortRanges#[!network.PortRange protocol:$nethelpers.Protocol',
  'network.SearchDomainsConfig': 'domains:[string? disableDefault:*bool?',
  'network.StaticHostConfigV1Alpha1': 'apiVersion:string? kind:string name:string hostnames:[string',
  'network.TCPProbeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string interval:duration? failureThreshold:int? endpoint:string timeout:duration?',
  'network.TimeSyncConfigV1Alpha1':
    'apiVersion:string? kind:string enabled:*bool? bootTimeout:duration? ntp:*network.NTPConfig? ptp:*network.PTPConfig?',
  'network.VLANConfigV1Alpha1':
    'apiVersion:string? kind:string name:string vlanID:uint16? vlanMode:*$nethelpers.VLANProtocol? parent:string? up:*bool? mtu:uint32? addresses:[network.AddressConfig? routes:[network.RouteConfig? multicast:*bool?',
  'network.VRFConfigV1Alpha1':
    'apiVersion:string? kind:string name:string hardwareAddr:$nethelpers.HardwareAddr? links:[string? table:$nethelpers.RoutingTable up:*bool? mtu:uint32? addresses:[network.AddressConfig? routes:[network.RouteConfig? multicast:*bool?',
  'network.WireguardConfigV1Alpha1':
    'apiVersion:string? kind:string name:string privateKey:string? listenPort:int? firewallMark:int? peers:[network.WireguardPeer? up:*bool? mtu:uint32? addresses:[network.AddressConfig? routes:[network.RouteConfig? multicast:*bool?',
  'network.WireguardPeer':
    'publicKey:string? presharedKey:string? endpoint[-13]:$network.AddrPort? endpoint[14-]:$meta.AddrPort? persistentKeepaliveInterval:duration? allowedIPs[-13]:[$network.Prefix? allowedIPs[14-]:[$meta.Prefix?',
  'runtime.DiskSelectorSpec': 'match:$cel.Expression?',
  'runtime.EnvironmentV1Alpha1': 'apiVersion:string? kind:string variables:{string}string',
  'runtime.EtcFileConfigV1Alpha1': 'apiVersion:string? kind:string name:string mode:uint32 contents:string',
  'runtime.EventSinkV1Alpha1': 'apiVersion:string? kind:string endpoint:string',
  'runtime.InstallerSpec': 'image:string?',
  'runtime.KernelModuleConfigV1Alpha1': 'apiVersion:string? kind:string name:string parameters:[string?',
  'runtime.KmsgLogV1Alpha1': 'apiVersion:string? kind:string name:string url:!meta.URL',
  'runtime.OOMV1Alpha1':
    'apiVersion:string? kind:string triggerExpression:$cel.Expression? cgroupRankingExpression:$cel.Expression? strictCgroupClassOrdering[13-]:*bool? sampleInterval:duration?',
  'runtime.ProvisioningSpec': 'diskSelector:runtime.DiskSelectorSpec? wipe:*bool?',
  'runtime.SecurityProfileConfigV1Alpha1': 'apiVersion:string? kind:string workloadIsolation:*bool?',
  'runtime.SysctlConfigV1Alpha1': 'apiVersion:string? kind:string params:{string}string',
  'runtime.SysfsConfigV1Alpha1': 'apiVersion:string? kind:string params:{string}string',
  'runtime.UdevRulesConfigV1Alpha1': 'apiVersion:string? kind:string rules:[string?',
  'runtime.UnattendedInstallConfigV1Alpha1':
    'apiVersion:string? kind:string reboot:*bool? installer:runtime.InstallerSpec provisioning:runtime.ProvisioningSpec',
  'runtime.WatchdogTimerV1Alpha1': 'apiVersion:string? kind:string device:string timeout:duration?',
  'security.ImageKeylessVerifierV1Alpha1': 'issuer:string? subject:string? subjectRegex:string?',
  'security.ImagePublicKeyVerifierV1Alpha1': 'certificate:string?',
  'security.ImageVerificationConfigV1Alpha1':
    'apiVersion:string? kind:string rules:#security.ImageVerificationRules#[security.ImageVerificationRuleV1Alpha1?',
  'security.ImageVerificationRuleV1Alpha1':
    'image:string? skip:*bool? deny:*bool? keyless:*security.ImageKeylessVerifierV1Alpha1? publicKey:*security.ImagePublicKeyVerifierV1Alpha1?',
  'security.TrustedRootsConfigV1Alpha1': 'apiVersion:string? kind:string name:string certificates:string',
  'siderolink.ConfigV1Alpha1': 'apiVersion:string? kind:string apiUrl:!meta.URL uniqueToken[10-]:string?',
  'storage.LVMLogicalVolumeConfigV1Alpha1':
    'apiVersion:string? kind:string name:string type:$storage.LVMLogicalVolumeType mirrors:*uint32? stripes:*uint32? provisioning:storage.LVMLogicalVolumeProvisioningSpec',
  'storage.LVMLogicalVolumeProvisioningSpec': 'volumeGroup:string minSize:$block.ByteSize? maxSize:$block.Size?',
  'storage.LVMVolumeGroupConfigV1Alpha1':
    'apiVersion:string? kind:string name:string provisioning:storage.ProvisioningSpec',
  'storage.LVMVolumeSelectorSpec': 'match:$cel.Expression?',
  'storage.ProvisioningSpec': 'volumeSelector:storage.LVMVolumeSelectorSpec?',
  'storage.RAIDArrayConfigV1Alpha1':
    'apiVersion:string? kind:string name:string level:$storage.MDLevel metadata:$storage.MDMetadata? provisioning:storage.RAIDProvisioningSpec',
  'storage.RAIDProvisioningSpec': 'volumeSelector:storage.RAIDVolumeSelector',
  'storage.RAIDVolumeSelector': 'match:$cel.Expression?',
  'v1alpha1.APIServerConfig':
    'image:string? extraArgs[-12]:{string}string? extraArgs[13-13]:#v1alpha1.Args#{string}!v1alpha1.ArgValue? extraArgs[14-]:{string}!meta.ArgValue? extraVolumes:[v1alpha1.VolumeMountConfig? env:{string}string? certSANs:[string? disablePodSecurityPolicy:*bool? admissionControl:#v1alpha1.AdmissionPluginConfigList#[*v1alpha1.AdmissionPluginConfig? auditPolicy[-13]:v1alpha1.Unstructured? auditPolicy[14-]:meta.Unstructured? resources:*v1alpha1.ResourcesConfig? authorizationConfig:#v1alpha1.AuthorizationConfigAuthorizerConfigList#[*v1alpha1.AuthorizationConfigAuthorizerConfig?',
  'v1alpha1.AdminKubeconfigConfig': 'certLifetime:duration?',
  'v1alpha1.AdmissionPluginConfig':
    'name:string configuration[-13]:v1alpha1.Unstructured configuration[14-]:meta.Unstructured',
  'v1alpha1.ArgValue': '',
  'v1alpha1.AuthorizationConfigAuthorizerConfig':
    'type:string name:string webhook[-13]:v1alpha1.Unstructured? webhook[14-]:meta.Unstructured?',
  'v1alpha1.Bond':
    'interfaces:[string deviceSelectors:[v1alpha1.NetworkDeviceSelector? arpIPTarget:[string? mode:string xmitHashPolicy:string? lacpRate:string? adActorSystem:string? arpValidate:string? arpAllTargets:string? primary:string? primaryReselect:string? failOverMac:string? adSelect:string? miimon:uint32? updelay:uint32? downdelay:uint32? arpInterval:uint32? resendIgmp:uint32? minLinks:uint32? lpInterval:uint32? packetsPerSlave:uint32? numPeerNotif:uint8? tlbDynamicLb:uint8? allSlavesActive:uint8? useCarrier:*bool? adActorSysPrio:uint16? adUserPortKey:uint16? peerNotifyDelay:uint32?',
  'v1alpha1.Bridge': 'interfaces:[string stp:*v1alpha1.STP? vlan:*v1alpha1.BridgeVLAN?',
  'v1alpha1.BridgePort': 'master:string?',
  'v1alpha1.BridgeVLAN': 'vlanFiltering:*bool?',
  'v1alpha1.CNIConfig': 'name:string? urls:[string? flannel:*v1alpha1.FlannelCNIConfig?',
  'v1alpha1.ClusterConfig':
    'id:string? secret:string? controlPlane[-13]:*v1alpha1.ControlPlaneConfig controlPlane[14-]:*v1alpha1.ControlPlaneConfig? clusterName:string? network:*v1alpha1.ClusterNetworkConfig? token:string? aescbcEncryptionSecret:string? secretboxEncryptionSecret:string? ca:*!x509.PEMEncodedCertificateAndKey? acceptedCAs:[*!x509.PEMEncodedCertificate? aggregatorCA:*!x509.PEMEncodedCertificateAndKey? serviceAccount:*!x509.PEMEncodedKey? apiServer:*v1alpha1.APIServerConfig? controllerManager:*v1alpha1.ControllerManagerConfig? proxy:*v1alpha1.ProxyConfig? scheduler:*v1alpha1.SchedulerConfig? discovery:*v1alpha1.ClusterDiscoveryConfig? etcd:*v1alpha1.EtcdConfig? coreDNS:*v1alpha1.CoreDNS? externalCloudProvider:*v1alpha1.ExternalCloudProviderConfig? extraManifests:[string? extraManifestHeaders:{string}string? inlineManifests:!v1alpha1.ClusterInlineManifests? adminKubeconfig:*v1alpha1.AdminKubeconfigConfig? allowSchedulingOnMasters:*bool? allowSchedulingOnControlPlanes:*bool?',
  'v1alpha1.ClusterDiscoveryConfig': 'enabled:*bool? registries:v1alpha1.DiscoveryRegistriesConfig',
  'v1alpha1.ClusterNetworkConfig':
    'cni:*v1alpha1.CNIConfig? dnsDomain:string podSubnets:[string serviceSubnets:[string',
  'v1alpha1.Config':
    'version:string debug:*bool? persist:*bool? machine:*v1alpha1.MachineConfig cluster:*v1alpha1.ClusterConfig',
  'v1alpha1.ControlPlaneConfig': 'endpoint:*!v1alpha1.Endpoint localAPIServerPort:int?',
  'v1alpha1.ControllerManagerConfig':
    'image:string? extraArgs[-12]:{string}string? extraArgs[13-13]:#v1alpha1.Args#{string}!v1alpha1.ArgValue? extraArgs[14-]:{string}!meta.ArgValue? extraVolumes:[v1alpha1.VolumeMountConfig? env:{string}string? resources:*v1alpha1.ResourcesConfig?',
  'v1alpha1.CoreDNS': 'disabled:*bool? image:string?',
  'v1alpha1.DHCPOptions': 'routeMetric:uint32 ipv4:*bool? ipv6:*bool? duidv6:string?',
  'v1alpha1.Device':
    'interface:string? deviceSelector:*v1alpha1.NetworkDeviceSelector? addresses:[string? cidr:string? routes:[*v1alpha1.Route? bond:*v1alpha1.Bond? bridge:*v1alpha1.Bridge? bridgePort:*v1alpha1.BridgePort? vlans:#v1alpha1.VlanList#[*v1alpha1.Vlan? mtu:int? dhcp:*bool? ignore:*bool? dummy:*bool? dhcpOptions:*v1alpha1.DHCPOptions? wireguard:*v1alpha1.DeviceWireguardConfig? vip:*v1alpha1.DeviceVIPConfig?',
  'v1alpha1.DeviceVIPConfig':
    'ip:string? equinixMetal:*v1alpha1.VIPEquinixMetalConfig? hcloud:*v1alpha1.VIPHCloudConfig?',
  'v1alpha1.DeviceWireguardConfig':
    'privateKey:string? listenPort:int? firewallMark:int? peers:[*v1alpha1.DeviceWireguardPeer?',
  'v1alpha1.DeviceWireguardPeer':
    'publicKey:string? endpoint:string? persistentKeepaliveInterval:duration? allowedIPs:[string?',
  'v1alpha1.DiscoveryRegistriesConfig':
    'kubernetes:v1alpha1.RegistryKubernetesConfig service:v1alpha1.RegistryServiceConfig',
  'v1alpha1.DiskPartition': 'size:!v1alpha1.DiskSize? mountpoint:string?',
  'v1alpha1.EncryptionConfig':
    'provider:string keys:[*v1alpha1.EncryptionKey cipher:string? keySize:uint? blockSize:uint64? options:[string?',
  'v1alpha1.EncryptionKey':
    'static:*v1alpha1.EncryptionKeyStatic? nodeID:*v1alpha1.EncryptionKeyNodeID? kms:*v1alpha1.EncryptionKeyKMS? slot:int tpm:*v1alpha1.EncryptionKeyTPM?',
  'v1alpha1.EncryptionKeyKMS': 'endpoint:string',
  'v1alpha1.EncryptionKeyNodeID': '',
  'v1alpha1.EncryptionKeyStatic': 'passphrase:string?',
  'v1alpha1.EncryptionKeyTPM': 'checkSecurebootStatusOnEnroll:*bool?',
  'v1alpha1.Endpoint': 'url:*url.URL',
  'v1alpha1.EtcdConfig':
    'image:string? ca:*!x509.PEMEncodedCertificateAndKey extraArgs[-12]:{string}string? extraArgs[13-13]:#v1alpha1.Args#{string}!v1alpha1.ArgValue? extraArgs[14-]:{string}!meta.ArgValue? subnet:string? advertisedSubnets:[string? listenSubnets:[string?',
  'v1alpha1.ExternalCloudProviderConfig': 'enabled:*bool? manifests:[string?',
  'v1alpha1.ExtraHost': 'ip:string aliases:[string',
  'v1alpha1.ExtraMount':
    'destination:string type:string? source:string? options:[string? uidMappings:[v1alpha1.LinuxIDMapping? gidMappings:[v1alpha1.LinuxIDMapping?',
  'v1alpha1.FeaturesConfig':
    'rbac:*bool? stableHostname:*bool? kubernetesTalosAPIAccess:*v1alpha1.KubernetesTalosAPIAccessConfig? apidCheckExtKeyUsage:*bool? diskQuotaSupport:*bool? kubePrism:*v1alpha1.KubePrism? hostDNS:*v1alpha1.HostDNSConfig? imageCache:*v1alpha1.ImageCacheConfig? nodeAddressSortAlgorithm:string?',
  'v1alpha1.FlannelCNIConfig': 'extraArgs:[string? kubeNetworkPoliciesEnabled[13-]:*bool?',
  'v1alpha1.HostDNSConfig': 'enabled:*bool? forwardKubeDNSToHost:*bool? resolveMemberNames:*bool?',
  'v1alpha1.ImageCacheConfig': 'localEnabled:*bool?',
  'v1alpha1.InstallConfig':
    'disk:string? diskSelector:*v1alpha1.InstallDiskSelector? extraKernelArgs:[string? image:string? extensions:[v1alpha1.InstallExtensionConfig? bootloader:*bool? wipe:*bool legacyBIOSSupport:*bool? grubUseUKICmdline[12-]:*bool?',
  'v1alpha1.InstallDiskSelector':
    'size:*!v1alpha1.InstallDiskSizeMatcher? name:string? model:string? serial:string? modalias:string? uuid:string? wwid:string? type:#v1alpha1.InstallDiskType#string? busPath:string?',
  'v1alpha1.InstallDiskSizeMatchData': 'op:string size:uint64',
  'v1alpha1.InstallDiskSizeMatcher': 'matchdata:v1alpha1.InstallDiskSizeMatchData',
  'v1alpha1.InstallExtensionConfig': 'image:string',
  'v1alpha1.KernelConfig': 'modules:[*v1alpha1.KernelModuleConfig?',
  'v1alpha1.KernelModuleConfig': 'name:string parameters:[string?',
  'v1alpha1.KubePrism': 'enabled:*bool? port:int?',
  'v1alpha1.KubeSpanFilters': 'endpoints:[string? excludeAdvertisedNetworks[12-]:[string?',
  'v1alpha1.KubeletConfig':
    'image:string? clusterDNS:[string? extraArgs[-12]:{string}string? extraArgs[13-13]:#v1alpha1.Args#{string}!v1alpha1.ArgValue? extraArgs[14-]:{string}!meta.ArgValue? extraMounts:[v1alpha1.ExtraMount? extraConfig[-13]:v1alpha1.Unstructured? extraConfig[14-]:meta.Unstructured? credentialProviderConfig[-13]:v1alpha1.Unstructured? credentialProviderConfig[14-]:meta.Unstructured? defaultRuntimeSeccompProfileEnabled:*bool? registerWithFQDN:*bool? nodeIP:*v1alpha1.KubeletNodeIPConfig? skipNodeRegistration:*bool? disableManifestsDirectory:*bool?',
  'v1alpha1.KubeletNodeIPConfig': 'validSubnets:[string?',
  'v1alpha1.KubernetesTalosAPIAccessConfig':
    'enabled:*bool? allowedRoles:[string? allowedKubernetesNamespaces:[string?',
  'v1alpha1.LinuxIDMapping': 'containerID:uint32 hostID:uint32 size:uint32',
  'v1alpha1.LoggingConfig': 'destinations:[v1alpha1.LoggingDestination',
  'v1alpha1.LoggingDestination': 'endpoint:*!v1alpha1.Endpoint format:string extraTags:{string}string?',
  'v1alpha1.MachineConfig':
    'type:string token:string ca:*!x509.PEMEncodedCertificateAndKey? acceptedCAs:[*!x509.PEMEncodedCertificate? certSANs:[string controlPlane:*v1alpha1.MachineControlPlaneConfig? kubelet:*v1alpha1.KubeletConfig? pods[-13]:[v1alpha1.Unstructured? pods[14-]:[meta.Unstructured? network:*v1alpha1.NetworkConfig? disks:[*v1alpha1.MachineDisk? install:*v1alpha1.InstallConfig? files:[*v1alpha1.MachineFile? env:{string}string? time:*v1alpha1.TimeConfig? sysctls:{string}string? sysfs:{string}string? registries:v1alpha1.RegistriesConfig? systemDiskEncryption:*v1alpha1.SystemDiskEncryptionConfig? features:*v1alpha1.FeaturesConfig? udev:*v1alpha1.UdevConfig? logging:*v1alpha1.LoggingConfig? kernel:*v1alpha1.KernelConfig? seccompProfiles:[*v1alpha1.MachineSeccompProfile? baseRuntimeSpecOverrides[-13]:v1alpha1.Unstructured? baseRuntimeSpecOverrides[14-]:meta.Unstructured? nodeLabels:{string}string? nodeAnnotations:{string}string? nodeTaints:{string}string?',
  'v1alpha1.MachineControlPlaneConfig':
    'controllerManager:*v1alpha1.MachineControllerManagerConfig? scheduler:*v1alpha1.MachineSchedulerConfig?',
  'v1alpha1.MachineControllerManagerConfig': 'disabled:*bool?',
  'v1alpha1.MachineDisk': 'device:string? partitions:[*v1alpha1.DiskPartition?',
  'v1alpha1.MachineFile': 'content:string permissions:#v1alpha1.FileMode#uint32 path:string op:string',
  'v1alpha1.MachineSchedulerConfig': 'disabled:*bool?',
  'v1alpha1.MachineSeccompProfile': 'name:string value[-13]:v1alpha1.Unstructured value[14-]:meta.Unstructured',
  'v1alpha1.NetworkConfig':
    'hostname:string? interfaces:#v1alpha1.NetworkDeviceList#[*v1alpha1.Device? nameservers:[string? searchDomains:[string? extraHostEntries:[*v1alpha1.ExtraHost? kubespan:*v1alpha1.NetworkKubeSpan? disableSearchDomain:*bool?',
  'v1alpha1.NetworkDeviceSelector':
    'busPath:string? hardwareAddr:string? permanentAddr:string? pciID:string? driver:string? physical:*bool?',
  'v1alpha1.NetworkKubeSpan':
    'enabled:*bool? advertiseKubernetesNetworks:*bool? allowDownPeerBypass:*bool? harvestExtraEndpoints:*bool? mtu:*uint32? filters:*v1alpha1.KubeSpanFilters?',
  'v1alpha1.ProxyConfig':
    'disabled:*bool? image:string? mode:string? extraArgs[-12]:{string}string? extraArgs[13-13]:#v1alpha1.Args#{string}!v1alpha1.ArgValue? extraArgs[14-]:{string}!meta.ArgValue?',
  'v1alpha1.RegistriesConfig':
    'mirrors:{string}*v1alpha1.RegistryMirrorConfig? config:{string}*v1alpha1.RegistryConfig?',
  'v1alpha1.RegistryAuthConfig': 'username:string? password:string? auth:string? identityToken:string?',
  'v1alpha1.RegistryConfig': 'tls:*v1alpha1.RegistryTLSConfig? auth:*v1alpha1.RegistryAuthConfig?',
  'v1alpha1.RegistryKubernetesConfig': 'disabled:*bool?',
  'v1alpha1.RegistryMirrorConfig': 'endpoints:[string overridePath:*bool? skipFallback:*bool?',
  'v1alpha1.RegistryServiceConfig': 'disabled:*bool? endpoint:string?',
  'v1alpha1.RegistryTLSConfig':
    'clientIdentity:*!x509.PEMEncodedCertificateAndKey? ca:!v1alpha1.Base64Bytes? insecureSkipVerify:*bool?',
  'v1alpha1.ResourcesConfig':
    'requests[-13]:v1alpha1.Unstructured? requests[14-]:meta.Unstructured? limits[-13]:v1alpha1.Unstructured? limits[14-]:meta.Unstructured?',
  'v1alpha1.Route': 'network:string gateway:string source:string? metric:uint32? mtu:uint32?',
  'v1alpha1.STP': 'enabled:*bool?',
  'v1alpha1.SchedulerConfig':
    'image:string? extraArgs[-12]:{string}string? extraArgs[13-13]:#v1alpha1.Args#{string}!v1alpha1.ArgValue? extraArgs[14-]:{string}!meta.ArgValue? extraVolumes:[v1alpha1.VolumeMountConfig? env:{string}string? resources:*v1alpha1.ResourcesConfig? config[-13]:v1alpha1.Unstructured? config[14-]:meta.Unstructured?',
  'v1alpha1.SystemDiskEncryptionConfig': 'state:*v1alpha1.EncryptionConfig? ephemeral:*v1alpha1.EncryptionConfig?',
  'v1alpha1.TimeConfig': 'disabled:*bool? servers:[string? bootTimeout:duration?',
  'v1alpha1.UdevConfig': 'rules:[string?',
  'v1alpha1.VIPEquinixMetalConfig': 'apiToken:string',
  'v1alpha1.VIPHCloudConfig': 'apiToken:string',
  'v1alpha1.Vlan':
    'addresses:[string? cidr:string? routes:[*v1alpha1.Route dhcp:*bool? vlanId:uint16 mtu:uint32? vip:*v1alpha1.DeviceVIPConfig? dhcpOptions:*v1alpha1.DHCPOptions?',
  'v1alpha1.VolumeMountConfig': 'hostPath:string mountPath:string readonly:bool?',
  'x509.PEMEncodedCertificate': 'crt:bytes',
  'x509.PEMEncodedCertificateAndKey': 'crt:bytes key:bytes',
  'x509.PEMEncodedKey': 'key:bytes',
};

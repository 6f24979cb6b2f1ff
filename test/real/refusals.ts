import type { platforms, substrates } from '../documents.ts';

export type Refusal = {
  /** What is wrong, as the end of "an API server refuses …". */
  readonly what: string;
  readonly base: keyof typeof platforms | keyof typeof substrates;
  /** Laid over the spec of that document; null takes a key away. */
  readonly change: string;
  readonly field: string;
  readonly message: string;
};

const row = (what: string, base: Refusal['base'], change: string, field: string, message: string): Refusal => ({
  what,
  base,
  change,
  field,
  message,
});

const oneOf = (...keys: string[]): string => `exactly one of ${keys.join(', ')} must be given`;
const names = (wants: string): string => `each name must be ${wants}`;

/** Broken by a rule in CEL: the message is ours. */
export const brokenRules: readonly Refusal[] = [
  // Between layers.
  row(
    'a machine pinned to an unknown host',
    'proxmox',
    'cluster: { placement: { pinned: { cp-2: pve9 } } }',
    'spec.cluster.placement.pinned',
    'a machine may be pinned only to a host of machines.proxmox.hosts',
  ),
  row(
    'an ISO without Proxmox',
    'libvirt',
    'cluster: { talos: { image: { iso: "local:iso/talos-1.13.9.iso" } } }',
    'spec.cluster.talos.image.iso',
    'an ISO on a storage is a matter of machines.proxmox: leave iso out, and the image comes from the Image Factory',
  ),
  row(
    'proxmox-csi without Proxmox',
    'libvirt',
    'services: { catalog: { proxmox-csi: {} } }',
    'spec.services.catalog.proxmox-csi',
    'proxmox-csi gives volumes of machines.proxmox: use longhorn elsewhere',
  ),
  row(
    'static addresses without a network',
    'libvirt',
    'machines: { libvirt: { network: { cidr: null } } }',
    'spec.cluster.network.nodes',
    'static addresses need cluster.network.nodes, such as 10.10.0.0/24',
  ),
  // Identity.
  row(
    'two places for the state',
    'proxmox',
    'identity: { state: { file: {} } }',
    'spec.identity.state',
    oneOf('file', 's3', 'kubernetes'),
  ),
  // Machines.
  row(
    'no provider',
    'minimal',
    'machines: { proxmox: null }',
    'spec.machines',
    oneOf('proxmox', 'libvirt', 'openstack', 'existing'),
  ),
  row(
    'two providers',
    'minimal',
    'machines: { libvirt: {} }',
    'spec.machines',
    oneOf('proxmox', 'libvirt', 'openstack', 'existing'),
  ),
  row(
    'a secret with two references',
    'minimal',
    'machines: { proxmox: { token: { file: ./token } } }',
    'spec.machines.proxmox.token',
    oneOf('env', 'file', 'age', 'keyring', 'vault'),
  ),
  row(
    'a secret without a reference',
    'minimal',
    'machines: { proxmox: { token: { env: null } } }',
    'spec.machines.proxmox.token',
    oneOf('env', 'file', 'age', 'keyring', 'vault'),
  ),
  row(
    'a token and a login',
    'proxmox',
    'machines: { proxmox: { token: { env: TOKEN } } }',
    'spec.machines.proxmox',
    oneOf('token', 'login'),
  ),
  row(
    'a capacity of an unknown host',
    'proxmox',
    'machines: { proxmox: { capacity: { pve9: { cpu: 1, memory: 1GiB } } } }',
    'spec.machines.proxmox.capacity',
    'capacity may name only hosts that are in hosts',
  ),
  row(
    'a datastore that cannot be one',
    'proxmox',
    'machines: { proxmox: { sharedDatastores: { "ce ph": 1TiB } } }',
    'spec.machines.proxmox.sharedDatastores',
    names('letters, digits, dots, dashes and underscores'),
  ),
  row(
    'a cloud and a way to sign in',
    'openstack',
    'machines: { openstack: { cloud: prod } }',
    'spec.machines.openstack',
    oneOf('cloud', 'authentication', 'substrate'),
  ),
  // Cluster.
  row(
    'an even number of control planes',
    'minimal',
    'cluster: { controlPlane: { replicas: 2 } }',
    'spec.cluster.controlPlane.replicas',
    'the number of control planes must be odd, because etcd needs a majority: use 1, 3, 5, 7 or 9',
  ),
  row(
    'high availability with one control plane',
    'minimal',
    'cluster: { highAvailability: true }',
    'spec.cluster.controlPlane.replicas',
    'high availability needs at least three control planes: use 3 or more, or leave highAvailability out',
  ),
  row(
    'an unknown Talos',
    'minimal',
    'cluster: { talos: { version: v1.8.3 } }',
    'spec.cluster.talos.version',
    'Talos must be a version from 1.9 to 1.14',
  ),
  row(
    'a Kubernetes that this Talos does not run',
    'minimal',
    'cluster: { kubernetes: { version: v1.30.0 } }',
    'spec.cluster.kubernetes.version',
    'this Talos does not run this Kubernetes: Talos 1.9 runs 1.27 to 1.32, Talos 1.10 runs 1.28 to 1.33, Talos 1.11 runs 1.29 to 1.34, Talos 1.12 runs 1.30 to 1.35, Talos 1.13 runs 1.31 to 1.36, Talos 1.14 runs 1.32 to 1.37',
  ),
  row(
    'a VIP outside of the network',
    'proxmox',
    'cluster: { endpoint: { vip: 10.11.0.5 } }',
    'spec.cluster.endpoint.vip',
    'the VIP must be an address of the machines’ network (network.nodes)',
  ),
  row(
    'a VIP that a machine has',
    'proxmox',
    'cluster: { endpoint: { vip: 10.10.0.10 } }',
    'spec.cluster.endpoint.vip',
    'the VIP must not be the address of a machine under nodes: choose a free one',
  ),
  row(
    'a pool called cp',
    'minimal',
    'cluster: { workers: { cp: {} } }',
    'spec.cluster.workers',
    'a worker pool must not be called cp, because control planes are: use another name',
  ),
  row(
    'a VIP and a load balancer',
    'proxmox',
    'cluster: { endpoint: { host: k8s.example.org } }',
    'spec.cluster.endpoint',
    'at most one of vip, host must be given',
  ),
  row(
    'a pool that cannot be one',
    'minimal',
    'cluster: { workers: { General: {} } }',
    'spec.cluster.workers',
    names('lower-case letters, digits and dashes'),
  ),
  row(
    'a label that cannot be one',
    'proxmox',
    'cluster: { workers: { general: { labels: { "a b": c } } } }',
    'spec.cluster.workers[general].labels',
    names('a label key such as example.org/tier'),
  ),
  row(
    'an annotation that cannot be one',
    'proxmox',
    'cluster: { nodes: { cp-0: { annotations: { "example..org/a": c } } } }',
    'spec.cluster.nodes[cp-0].annotations',
    names('an annotation key such as example.org/owner'),
  ),
  row(
    'two install disks',
    'proxmox',
    'cluster: { nodes: { prod-general-0: { installDisk: { selector: {} } } } }',
    'spec.cluster.nodes[prod-general-0].installDisk',
    oneOf('path', 'selector'),
  ),
  row(
    'pods inside of services',
    'minimal',
    'cluster: { network: { pods: 10.96.0.0/16 } }',
    'spec.cluster.network.pods',
    'pods and services must not overlap: give them networks that share no address',
  ),
  row(
    'machines inside of pods',
    'minimal',
    'cluster: { network: { nodes: 10.244.1.0/24 } }',
    'spec.cluster.network.nodes',
    'the machines’ network must overlap neither pods nor services: give them networks that share no address',
  ),
  row(
    'static addresses without a gateway',
    'libvirt',
    'cluster: { network: { gateway: null } }',
    'spec.cluster.network.gateway',
    'static addresses need a gateway, such as 10.10.0.1',
  ),
  row(
    'two pod networks',
    'libvirt',
    'cluster: { cni: { cilium: {} } }',
    'spec.cluster.cni',
    oneOf('cilium', 'flannel', 'none'),
  ),
  row(
    'a mirror of no registry',
    'proxmox',
    'cluster: { registries: { mirrors: { "a b": { endpoints: ["https://mirror.example.org"] } } } }',
    'spec.cluster.registries.mirrors',
    names('a registry host, or *'),
  ),
  row(
    'credentials of no registry',
    'proxmox',
    'cluster: { registries: { credentials: { "*": { username: a, password: { env: A } } } } }',
    'spec.cluster.registries.credentials',
    names('a registry host'),
  ),
  row(
    'two disk keys',
    'proxmox',
    'cluster: { encryption: { state: { tpm: {} } } }',
    'spec.cluster.encryption.state',
    oneOf('nodeID', 'tpm', 'passphrase', 'kms'),
  ),
  row(
    'a variable that cannot be one',
    'proxmox',
    'cluster: { extensionServices: { tailscale: { environment: { "a-b": c } } } }',
    'spec.cluster.extensionServices[tailscale].environment',
    names('the name of an environment variable'),
  ),
  row(
    'a file without an absolute path',
    'proxmox',
    'cluster: { extensionServices: { tailscale: { files: { etc: c } } } }',
    'spec.cluster.extensionServices[tailscale].files',
    names('an absolute path'),
  ),
  row(
    'a sysctl that cannot be one',
    'minimal',
    'cluster: { sysctls: { "a b": c } }',
    'spec.cluster.sysctls',
    names('the name of a sysctl'),
  ),
  // Services.
  row(
    'two GitOps tools',
    'proxmox',
    'services: { gitops: { argocd: { url: "https://git.example.org/a.git" } } }',
    'spec.services.gitops',
    oneOf('flux', 'argocd'),
  ),
  row(
    'two credentials of one repository',
    'openstack',
    'services: { gitops: { argocd: { credentials: { sshKey: { env: KEY } } } } }',
    'spec.services.gitops.argocd.credentials',
    'at most one of sshKey, token must be given',
  ),
  row(
    'MetalLB without addresses',
    'minimal',
    'services: { catalog: { metallb: {} } }',
    'spec.services.catalog.metallb',
    'MetalLB needs addresses to give: add pool, such as 10.10.0.64/27, or pools',
  ),
  row(
    'BGP without peers',
    'existing',
    'services: { catalog: { metallb: { peers: [] } } }',
    'spec.services.catalog.metallb',
    'mode bgp needs asn and peers: add both, or use mode l2',
  ),
  row(
    'an issuer of two kinds',
    'proxmox',
    'services: { catalog: { cert-manager: { issuers: { letsencrypt: { selfSigned: {} } } } } }',
    'spec.services.catalog.cert-manager.issuers[letsencrypt]',
    oneOf('acme', 'ca', 'selfSigned'),
  ),
  row(
    'an ACME solver of no kind',
    'proxmox',
    'services: { catalog: { cert-manager: { issuers: { letsencrypt: { acme: { solver: {} } } } } } }',
    'spec.services.catalog.cert-manager.issuers[letsencrypt].acme.solver',
    oneOf('http01', 'cloudflare', 'rfc2136'),
  ),
  row(
    'a secret store of no kind',
    'proxmox',
    'services: { catalog: { external-secrets: { stores: { main: {} } } } }',
    'spec.services.catalog.external-secrets.stores[main]',
    oneOf('vault'),
  ),
  // Configuration.
  row(
    'a zone that cannot be one',
    'proxmox',
    'configuration: { dns: { powerdns: { zones: { "Example.org": {} } } } }',
    'spec.configuration.dns.powerdns.zones',
    names('a DNS name'),
  ),
  row(
    'a record that cannot be one',
    'proxmox',
    'configuration: { dns: { powerdns: { zones: { prod.example.org: { records: { "a b": {} } } } } } }',
    'spec.configuration.dns.powerdns.zones[prod.example.org].records',
    names('a name in the zone, @ for the zone itself, or *'),
  ),
  // Substrate.
  row(
    'two controllers',
    'small',
    'controllers: { replicas: 2 }',
    'spec.controllers.replicas',
    'controllers must be one, or three and more: Galera needs a majority',
  ),
  row(
    'cinder without storage',
    'small',
    'openstack: { cinder: {} }',
    'spec.storage.replicas',
    'cinder needs at least one storage machine: set storage.replicas to 1 or more',
  ),
];

/** Broken by the form alone: the message is the API server's own. */
export const brokenForms: readonly Refusal[] = [
  row(
    'an unknown word',
    'minimal',
    'cluster: { hostnames: dns }',
    'spec.cluster.hostnames',
    'Unsupported value: "dns": supported values: "talos", "dhcp"',
  ),
  row(
    'a size without its unit',
    'minimal',
    'cluster: { controlPlane: { memory: "8" } }',
    'spec.cluster.controlPlane.memory',
    'Invalid value: "8": spec.cluster.controlPlane.memory in body should match \'^[0-9]{1,12}(\\.[0-9]{1,6})? *(B|[KMGTP]iB?)$\'',
  ),
  row(
    'a disk with a space that is none',
    'minimal',
    'cluster: { controlPlane: { disk: "40\\u00a0GiB" } }',
    'spec.cluster.controlPlane.disk',
    'Invalid value: "40\\u00a0GiB": spec.cluster.controlPlane.disk in body should match \'^[0-9]{1,12}(\\.[0-9]{1,6})? *(B|[KMGTP]iB?)$\'',
  ),
  row(
    'a number as text',
    'minimal',
    'cluster: { controlPlane: { cpu: "4" } }',
    'spec.cluster.controlPlane.cpu',
    'Invalid value: "string": spec.cluster.controlPlane.cpu in body must be of type integer: "string"',
  ),
  row(
    'too many control planes',
    'minimal',
    'cluster: { controlPlane: { replicas: 11 } }',
    'spec.cluster.controlPlane.replicas',
    'Invalid value: 11: spec.cluster.controlPlane.replicas in body should be less than or equal to 9',
  ),
  row(
    'no hosts',
    'minimal',
    'machines: { proxmox: { hosts: [] } }',
    'spec.machines.proxmox.hosts',
    'Invalid value: 0: spec.machines.proxmox.hosts in body should have at least 1 items',
  ),
  row(
    'no endpoint',
    'minimal',
    'machines: { proxmox: { endpoint: null } }',
    'spec.machines.proxmox.endpoint',
    'Required value',
  ),
  row(
    'a secret in clear',
    'minimal',
    'machines: { proxmox: { token: abc } }',
    'spec.machines.proxmox.token',
    'Invalid value: "string": spec.machines.proxmox.token in body must be of type object: "string"',
  ),
  row('an image without its checksum', 'small', 'image: { checksum: null }', 'spec.image.checksum', 'Required value'),
];

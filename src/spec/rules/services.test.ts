import { expect, test } from 'vitest';
import { platformFile, said } from '../../../test/said.ts';

type Sections = Readonly<Record<string, string>>;

test.each<[what: string, wrong: Sections, says: readonly string[]]>([
  [
    'services without what they stand on',
    { services: '{ domain: example.org, catalog: { vault: {}, powerdns: { storageClass: fast } } }' },
    [
      '6:47 needs-service: vault needs ingress-nginx: it is reached through an ingress. | Add "ingress-nginx: {}" to services.catalog.',
      '6:47 needs-service: vault needs cert-manager: its certificate comes from there. | Add "cert-manager: {}" to services.catalog.',
      '6:47 needs-service: vault needs longhorn or proxmox-csi: it keeps data on a volume. | Add "proxmox-csi: {}" to services.catalog, or name a storage class of your own: "storageClass: …".',
    ],
  ],
  [
    'a volume where there is no Proxmox',
    {
      machines: '{ libvirt: { hosts: { kvm1: "qemu:///system", kvm2: "qemu:///system" } } }',
      services: '{ catalog: { powerdns: {} } }',
    },
    [
      '6:26 needs-service: powerdns needs longhorn or proxmox-csi: it keeps data on a volume. | Add "longhorn: {}" to services.catalog, or name a storage class of your own: "storageClass: …".',
    ],
  ],
  [
    'services without a name',
    { services: '{ catalog: { ingress-nginx: {}, cert-manager: {}, proxmox-csi: {}, gitea: {} } }' },
    ['6:80 no-host: gitea has no name to be reached at. | Set services.domain, or "host:" for gitea.'],
  ],
  [
    'two services of one name, and an issuer that is not there',
    {
      services:
        '{ domain: example.org, catalog: { ingress-nginx: {}, cert-manager: {}, proxmox-csi: {}, gitea: { host: harbor.example.org }, harbor: { issuer: letsencrypt } } }',
    },
    [
      '6:101 same-host: gitea and harbor are both called harbor.example.org. | Give each its own host.',
      '6:156 unknown-issuer: cert-manager has no issuer "letsencrypt". | Issuers: self-signed.',
    ],
  ],
  [
    'two default storage classes',
    {
      services:
        '{ catalog: { proxmox-csi: { classes: { a: { datastore: x, default: true }, b: { datastore: y, default: true } } } } }',
    },
    [
      '6:116 two-defaults: A cluster has one default storage class, and here are several. | Set default: false for the others (longhorn.default is true by itself).',
    ],
  ],
  [
    'Proxmox’s volumes elsewhere',
    {
      machines: '{ libvirt: { hosts: { kvm1: "qemu:///system", kvm2: "qemu:///system" } } }',
      services: '{ catalog: { proxmox-csi: {} } }',
    },
    [
      '6:26 needs-provider: proxmox-csi gives volumes of Proxmox datastores, and the machines are not on Proxmox. | Use longhorn.',
    ],
  ],
  [
    'Longhorn without extensions and disks',
    { cluster: '{ workers: { a: {} } }', services: '{ catalog: { longhorn: {} } }' },
    [
      '7:26 needs-extension: Longhorn needs the Talos extensions iscsi-tools and util-linux-tools. | Add iscsi-tools, util-linux-tools to cluster.talos.extensions.',
      '7:26 warning no-data-disk: No worker pool has a data disk called longhorn: volumes would live on the system disks. | Add "disks: { longhorn: 200GiB }" to a pool.',
    ],
  ],
  [
    'Longhorn with more copies than disks',
    {
      cluster:
        '{ talos: { extensions: [qemu-guest-agent, iscsi-tools, util-linux-tools] }, workers: { a: { disks: { longhorn: 200GiB } } } }',
      services: '{ catalog: { longhorn: {} } }',
    },
    [
      '7:26 warning too-few-copies: Longhorn keeps 3 copies, and only 1 machine has a disk for it. | Set longhorn.replicas: 1, or add workers with a longhorn disk.',
    ],
  ],
  [
    'services that lack a setting',
    {
      services:
        '{ catalog: { metallb: {}, vault: { replicas: 2, host: v.example.org, storageClass: x }, ingress-nginx: {}, cert-manager: {} } }',
    },
    [
      '6:26 no-pool: MetalLB needs addresses to give. | Add for example "pool: 10.10.0.64/27".',
      '6:58 no-majority: Vault’s members vote: their number must be odd. | Use 1 or 3.',
    ],
  ],
  [
    'BGP without peers',
    { services: '{ catalog: { metallb: { pool: 10.9.0.0/24, mode: bgp } } }' },
    [
      '6:62 no-peers: Mode bgp needs asn and peers. | Add for example "asn: 64512" and "peers: [{ address: 10.10.0.1, asn: 64513 }]".',
    ],
  ],
  [
    'a key for https, and a token for ssh',
    { services: '{ gitops: { flux: { url: "https://example.org/a.git", credentials: { sshKey: { env: KEY } } } } }' },
    [
      '6:82 no-effect: A key is for ssh, and the repository is https://example.org/a.git. | Use token, or the repository’s ssh address.',
    ],
  ],
  [
    'a token for ssh',
    {
      services:
        '{ gitops: { argocd: { url: "ssh://git@example.org/a.git", credentials: { token: { env: TOKEN } } } } }',
    },
    [
      '6:86 no-effect: A token is for https, and the repository is ssh://git@example.org/a.git. | Use sshKey, or the repository’s https address.',
    ],
  ],
  [
    'configuration of nothing',
    { configuration: '{ dns: { powerdns: {} }, sso: { authentik: {} } }' },
    [
      '6:27 needs-service: There is no powerdns to configure. | Add "powerdns: {}" to services.catalog, or give url and apiKey of one elsewhere.',
      '6:50 needs-service: There is no authentik to configure. | Add "authentik: {}" to services.catalog, or give url and token of one elsewhere.',
    ],
  ],
  [
    'configuration without a credential',
    { configuration: '{ dns: { powerdns: { url: "https://dns:8081" } }, sso: { authentik: { url: "https://sso" } } }' },
    [
      '6:27 no-credential: To reach powerdns at its url, apiKey is needed. | Add "apiKey: { env: POWERDNS_API_KEY }", or file, age, keyring, vault.',
      '6:75 no-credential: To reach authentik at its url, token is needed. | Add "token: { env: AUTHENTIK_TOKEN }", or file, age, keyring, vault.',
    ],
  ],
  [
    'sign-in to what is not there',
    {
      configuration:
        '{ sso: { authentik: { url: "https://sso", token: { env: TOKEN }, applications: [gitea, wiki] } } }',
    },
    [
      '6:98 needs-service: gitea is not in services.catalog. | Add "gitea: {}" there.',
      '6:105 unknown-value: Sign-in to "wiki" is not something ichor can set up by itself. | Use vault, harbor, gitea, matrix, or describe it under custom.',
    ],
  ],
])('%s', (_, wrong, says) => {
  expect(said(platformFile(wrong))).toEqual(says);
});

test.each<[notThis: string, right: Sections]>([
  [
    'services without what they stand on',
    {
      services: '{ domain: example.org, catalog: { ingress-nginx: {}, cert-manager: {}, longhorn: {}, vault: {} } }',
      cluster:
        '{ talos: { extensions: [qemu-guest-agent, iscsi-tools, util-linux-tools] }, workers: { a: { replicas: 3, disks: { longhorn: 200GiB } } } }',
    },
  ],
  [
    'a volume where there is no Proxmox',
    {
      machines: '{ libvirt: { hosts: { kvm1: "qemu:///system", kvm2: "qemu:///system" } } }',
      services: '{ catalog: { powerdns: { storageClass: fast } } }',
    },
  ],
  [
    'services without a name',
    {
      services:
        '{ catalog: { ingress-nginx: {}, cert-manager: {}, proxmox-csi: {}, gitea: { host: git.example.org } } }',
    },
  ],
  [
    'two services of one name, and an issuer that is not there',
    {
      configuration: '{ dns: { powerdns: { zones: { example.org: {} } } } }',
      services:
        '{ catalog: { ingress-nginx: {}, cert-manager: {}, proxmox-csi: {}, powerdns: {}, gitea: {}, harbor: { issuer: self-signed } } }',
    },
  ],
  [
    'two default storage classes',
    {
      services:
        '{ catalog: { proxmox-csi: { classes: { a: { datastore: x, default: true }, b: { datastore: y } } } } }',
    },
  ],
  [
    'Longhorn without extensions and disks',
    {
      cluster:
        '{ talos: { extensions: [qemu-guest-agent, siderolabs/iscsi-tools, util-linux-tools] }, workers: { a: { replicas: 3, disks: { longhorn: 200GiB } } } }',
      services: '{ catalog: { longhorn: {} } }',
    },
  ],
  [
    'services that lack a setting',
    {
      services:
        '{ catalog: { metallb: { pools: { a: [10.9.0.1] }, mode: bgp, asn: 1, peers: [{ address: 10.9.0.2, asn: 2 }] }, vault: { replicas: 1, host: v.example.org, storageClass: x }, ingress-nginx: {}, cert-manager: {} } }',
    },
  ],
  [
    'a key for https, and a token for ssh',
    { services: '{ gitops: { flux: { url: "https://example.org/a.git", credentials: { token: { env: TOKEN } } } } }' },
  ],
  [
    'configuration of nothing',
    {
      configuration:
        '{ dns: { powerdns: { url: "https://dns:8081", apiKey: { env: KEY } } }, sso: { authentik: { url: "https://sso", token: { env: TOKEN } } } }',
    },
  ],
  [
    'sign-in to what is not there',
    {
      services: '{ domain: example.org, catalog: { ingress-nginx: {}, cert-manager: {}, proxmox-csi: {}, gitea: {} } }',
      configuration: '{ sso: { authentik: { url: "https://sso", token: { env: TOKEN }, applications: [gitea] } } }',
    },
  ],
])('nothing is said where there is not %s', (_, right) => {
  expect(said(platformFile(right))).toEqual([]);
});

import * as z from 'zod';
import { cel, note } from './notes.ts';
import {
  address,
  addressRange,
  anything,
  diskSize,
  foreignName,
  free,
  hostname,
  integer,
  label,
  namedBy,
  oneOf,
  path,
  port,
  secret,
  url,
  version,
} from './values.ts';

/** What every service of the catalog has. */
const chart = (namespace: string) => ({
  version: version('1.2.3')
    .describe('Version of the chart; absent: the one this release of ichor was checked with.')
    .optional(),
  namespace: label(namespace).default(namespace).describe('Namespace it is installed to.'),
  values: anything().default({}).describe('Values of the chart, over those that ichor sets.'),
});

const web = (name: string) => ({
  host: note(hostname(`${name}.example.org`).describe('Name it is reached at.').optional(), {
    derived: `${name}. in front of services.domain`,
  }),
  issuer: note(label('letsencrypt').describe('cert-manager issuer of its certificate.').optional(), {
    derived: 'the first issuer of cert-manager',
  }),
});

const storage = (size: string) => ({
  storage: diskSize().prefault(size).describe('Size of its volume.'),
  storageClass: label('fast').describe('Storage class of its volume; absent: the cluster’s default.').optional(),
});

const metallbFields = z.strictObject({
  pool: addressRange().describe('Addresses of LoadBalancer services.').optional(),
  pools: namedBy(z.array(addressRange()).min(1).max(32), 32).default({}).describe('Several pools, by name.'),
  mode: z.enum(['l2', 'bgp']).default('l2').describe('How addresses are announced.'),
  interfaces: z
    .array(foreignName('eth0'))
    .max(16)
    .default([])
    .describe('Interfaces that announce in mode l2; empty: all.'),
  asn: integer(1, 4294967294).describe('Own autonomous system, in mode bgp.').optional(),
  peers: z
    .array(
      z.strictObject({
        address: address().describe('Router.'),
        asn: integer(1, 4294967294).describe('Its autonomous system.'),
      }),
    )
    .max(16)
    .default([])
    .describe('Routers, in mode bgp.'),
  ...chart('metallb-system'),
});
const metallb = cel(
  cel(
    metallbFields,
    'has(self.pool) || size(self.pools) > 0',
    'MetalLB needs addresses to give: add pool, such as 10.10.0.64/27, or pools',
  ),
  "self.mode != 'bgp' || (has(self.asn) && size(self.peers) > 0)",
  'mode bgp needs asn and peers: add both, or use mode l2',
).describe('MetalLB: LoadBalancer services on your own network.');

const issuer = oneOf(
  {
    acme: z
      .strictObject({
        email: free('platform@example.org', 254).describe('Contact.'),
        server: url(['https'], 'https://acme-v02.api.letsencrypt.org/directory')
          .default('https://acme-v02.api.letsencrypt.org/directory')
          .describe('Directory of the ACME server.'),
        solver: oneOf(
          {
            http01: z.strictObject({}).describe('Through ingress-nginx.').optional(),
            cloudflare: z
              .strictObject({ token: secret().describe('API token.') })
              .describe('DNS at Cloudflare.')
              .optional(),
            rfc2136: z
              .strictObject({
                nameserver: free('10.10.0.53:53').describe('Name server that takes updates.'),
                key: foreignName('ichor').describe('Name of the TSIG key.'),
                secret: secret().describe('The TSIG key.'),
              })
              .describe('DNS updates, such as the catalog’s PowerDNS takes.')
              .optional(),
          },
          ['http01', 'cloudflare', 'rfc2136'],
        )
          .prefault({ http01: {} })
          .describe('How ownership of a name is proved.'),
      })
      .describe('An ACME authority such as Let’s Encrypt.')
      .optional(),
    ca: z
      .strictObject({
        certificate: path('./ca.pem').describe('Certificate of the authority.'),
        key: secret().describe('Its key.'),
      })
      .describe('Your own certificate authority.')
      .optional(),
    selfSigned: z.strictObject({}).describe('An authority made in the cluster.').optional(),
  },
  ['acme', 'ca', 'selfSigned'],
);

const certManager = z
  .strictObject({
    issuers: namedBy(issuer, 16)
      .default({ 'self-signed': { selfSigned: {} } })
      .describe('Cluster issuers, by name.'),
    ...chart('cert-manager'),
  })
  .describe('cert-manager: certificates.');

const ingressNginx = z
  .strictObject({
    className: label('nginx').default('nginx').describe('Ingress class.'),
    replicas: integer(1, 32).default(2).describe('How many.'),
    address: address().describe('Address of its LoadBalancer service; absent: the next free one.').optional(),
    ...chart('ingress-nginx'),
  })
  .describe('ingress-nginx: HTTP from outside.');

const proxmoxCsi = z
  .strictObject({
    classes: namedBy(
      z.strictObject({
        datastore: foreignName('local-lvm').describe('Proxmox datastore of the volumes.'),
        filesystem: z.enum(['ext4', 'xfs']).default('ext4').describe('File system.'),
        ssd: z.boolean().default(true).describe('Tell guests that it is an SSD.'),
        default: z.boolean().default(false).describe('The cluster’s default class.'),
        reclaim: z
          .enum(['Delete', 'Retain'])
          .default('Delete')
          .describe('What becomes of a volume whose claim is gone.'),
      }),
      16,
    )
      .default({})
      .describe('Storage classes by name; empty: one called proxmox on machines.proxmox.datastore.'),
    token: secret().describe('API token of the plugin; absent: ichor makes one with the rights it needs.').optional(),
    ...chart('csi-proxmox'),
  })
  .describe('Proxmox CSI plugin: volumes from Proxmox datastores.');

const longhorn = z
  .strictObject({
    replicas: integer(1, 10).default(3).describe('Copies of each volume.'),
    default: z.boolean().default(true).describe('The cluster’s default storage class.'),
    backupTarget: free('s3://backups@eu-north-1/').describe('Where backups go.').optional(),
    backupCredentials: secret().describe('Credentials of the backup target.').optional(),
    ...chart('longhorn-system'),
  })
  .describe('Longhorn: replicated volumes on the workers’ data disk called longhorn.');

const sealedSecrets = z
  .strictObject({ ...chart('kube-system') })
  .describe('Sealed Secrets: secrets that may stand in Git. Its key pair is identity.sealedSecrets.');

const vault = z
  .strictObject({
    replicas: integer(1, 7).default(3).describe('Members of its Raft cluster; an odd number.'),
    ...storage('10GiB'),
    ...web('vault'),
    ...chart('vault'),
  })
  .describe('HashiCorp Vault with the Bank-Vaults operator: unsealed by itself, keys kept by ichor.');

const externalSecrets = z
  .strictObject({
    stores: namedBy(
      oneOf(
        {
          vault: z
            .strictObject({
              server: note(url(['https', 'http'], 'https://vault.example.org').describe('Address.').optional(), {
                derived: 'the catalog’s vault',
              }),
              path: free('secret').default('secret').describe('Mount of the key-value engine.'),
              role: free('external-secrets')
                .default('external-secrets')
                .describe('Role of the Kubernetes auth method.'),
            })
            .describe('HashiCorp Vault or OpenBao.')
            .optional(),
        },
        ['vault'],
      ),
      16,
    )
      .default({})
      .describe('Cluster secret stores by name; empty: the catalog’s vault when it is there.'),
    ...chart('external-secrets'),
  })
  .describe('External Secrets: secrets from elsewhere.');

const authentik = z
  .strictObject({
    admin: z
      .strictObject({
        email: free('admin@example.org', 254).describe('Mail address.').optional(),
        password: secret().describe('First password; absent: made by ichor.').optional(),
      })
      .prefault({})
      .describe('The first administrator.'),
    mail: z
      .strictObject({
        host: free('smtp.example.org', 253).describe('Mail server.'),
        port: port().default(587).describe('Its port.'),
        from: free('sso@example.org', 254).describe('Sender.'),
        username: free('sso').describe('User.').optional(),
        password: secret().describe('Its password.').optional(),
      })
      .describe('How it sends mail.')
      .optional(),
    ...storage('8GiB'),
    ...web('authentik'),
    ...chart('authentik'),
  })
  .describe('authentik: single sign-on.');

const harbor = z
  .strictObject({
    adminPassword: secret().describe('Password of admin; absent: made by ichor.').optional(),
    scanner: z.boolean().default(true).describe('Scan images with Trivy.'),
    ...storage('50GiB'),
    ...web('harbor'),
    ...chart('harbor'),
  })
  .describe('Harbor: container registry.');

const gitea = z
  .strictObject({
    admin: z
      .strictObject({
        username: foreignName('gitea-admin').default('gitea-admin').describe('User name.'),
        email: free('git@example.org', 254).describe('Mail address.').optional(),
        password: secret().describe('Password; absent: made by ichor.').optional(),
      })
      .prefault({})
      .describe('The first administrator.'),
    registration: z.boolean().default(false).describe('Anybody may register.'),
    ssh: z.boolean().default(true).describe('Git over ssh on a LoadBalancer address.'),
    ...storage('20GiB'),
    ...web('gitea'),
    ...chart('gitea'),
  })
  .describe('Gitea: Git.');

const matrix = z
  .strictObject({
    serverName: note(
      hostname('example.org').describe('The part behind the colon of a Matrix id; can never be changed.').optional(),
      { derived: 'services.domain' },
    ),
    registration: z.boolean().default(false).describe('Anybody may register.'),
    element: z.boolean().default(true).describe('Also install the Element web client.'),
    ...storage('20GiB'),
    ...web('matrix'),
    ...chart('matrix'),
  })
  .describe('Matrix: Synapse and Element.');

const powerdns = z
  .strictObject({
    address: address().describe('Address of its DNS service; absent: the next free one.').optional(),
    replicas: integer(1, 8).default(2).describe('How many.'),
    apiKey: secret().describe('Key of its API; absent: made by ichor.').optional(),
    transferTo: z.array(address()).max(16).default([]).describe('Secondaries that may transfer zones.'),
    ...storage('4GiB'),
    ...chart('powerdns'),
  })
  .describe('PowerDNS: authoritative DNS.');

export const catalog = z
  .strictObject({
    metallb: metallb.optional(),
    'cert-manager': certManager.optional(),
    'ingress-nginx': ingressNginx.optional(),
    'proxmox-csi': proxmoxCsi.optional(),
    longhorn: longhorn.optional(),
    'sealed-secrets': sealedSecrets.optional(),
    vault: vault.optional(),
    'external-secrets': externalSecrets.optional(),
    authentik: authentik.optional(),
    harbor: harbor.optional(),
    gitea: gitea.optional(),
    matrix: matrix.optional(),
    powerdns: powerdns.optional(),
  })
  .prefault({})
  .describe('Platform services; naming one installs it.');

export type ServiceName = keyof z.output<typeof catalog>;

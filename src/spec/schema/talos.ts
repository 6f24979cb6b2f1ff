import * as z from 'zod';
import { defaultTalosVersion } from '../../model/talos-releases.ts';
import { note } from './notes.ts';
import {
  checksum,
  cidr,
  free,
  integer,
  label,
  mapOf,
  namedBy,
  oneOf,
  path,
  port,
  secret,
  url,
  version,
} from './values.ts';

const image = z
  .strictObject({
    factory: url(['https', 'http'], 'https://factory.talos.dev')
      .default('https://factory.talos.dev')
      .describe('Image Factory that images come from.'),
    schematic: note(
      z
        .string()
        .max(64)
        .regex(/^[0-9a-f]{64}$/)
        .meta({ examples: ['376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba'] })
        .describe('Schematic of the image; absent: made from the extensions and kernel arguments.')
        .optional(),
      { wants: 'the id of a schematic: 64 hex digits' },
    ),
    iso: note(
      z
        .string()
        .max(255)
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*:iso\/[^/\s]+\.(iso|img)$/)
        .meta({ examples: ['local:iso/talos-1.9.0.iso'] })
        .describe('ISO that is already on a Proxmox storage; nothing is downloaded.')
        .optional(),
      { wants: 'STORAGE:iso/FILE.iso, such as local:iso/talos-1.9.0.iso' },
    ),
    checksum: checksum()
      .describe('Checksum of the image that machines start from; absent: what comes is taken as it is.')
      .optional(),
    download: z
      .enum(['auto', 'host', 'here'])
      .default('auto')
      .describe(
        'Who fetches the image: the host (host), this machine, which uploads it (here), or this machine where the host cannot (auto).',
      ),
    boot: note(
      z
        .enum(['disk', 'iso'])
        .describe('disk: the machine’s disk is a Talos image from the start; iso: boots the ISO, then installs.')
        .optional(),
      { derived: 'iso when iso is given, else disk' },
    ),
    architecture: z.enum(['amd64', 'arm64']).default('amd64').describe('Processor architecture.'),
  })
  .prefault({})
  .describe('Where the Talos image comes from: the Image Factory, or an ISO that is already on a storage.');

export const talos = z
  .strictObject({
    version: version(defaultTalosVersion).default(defaultTalosVersion).describe('Talos version, from 1.9 to 1.14.'),
    extensions: z
      .array(free('qemu-guest-agent', 100))
      .max(32)
      .default(['qemu-guest-agent'])
      .describe('System extensions, with or without siderolabs/ in front.'),
    kernelArgs: z
      .array(free('net.ifnames=0', 256))
      .max(64)
      .default([])
      .describe('Further kernel arguments; -name removes a default one.'),
    secureBoot: z.boolean().default(false).describe('Use SecureBoot images.'),
    image,
  })
  .prefault({})
  .describe('Talos Linux: version, extensions, image.');

export const kubernetes = z
  .strictObject({
    version: note(version('v1.35.2').describe('Kubernetes version; Talos decides which ones it runs.').optional(), {
      derived: 'the newest that the Talos version is made for',
    }),
  })
  .prefault({})
  .describe('Kubernetes.');

export const registries = z
  .strictObject({
    mirrors: mapOf(
      'a registry host, or *',
      /^(\*|[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?)$/,
      z.strictObject({
        endpoints: z
          .array(url(['https', 'http'], 'https://mirror.example.org'))
          .min(1)
          .max(8)
          .describe('Mirrors, asked in order.'),
        overridePath: z.boolean().default(false).describe('The endpoint already ends in its API path.'),
        skipFallback: z.boolean().default(false).describe('Never ask the registry itself.'),
      }),
    )
      .default({})
      .describe('Mirrors by registry host.'),
    credentials: mapOf(
      'a registry host',
      /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[0-9]+)?$/,
      z.strictObject({
        username: free('robot').describe('User.'),
        password: secret().describe('Its password or token.'),
        ca: path('./registry-ca.pem').describe('Certificate authority of the registry.').optional(),
      }),
    )
      .default({})
      .describe('Credentials by registry host.'),
  })
  .prefault({})
  .describe('Container registries.');

export const kubePrism = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Serve it.'),
    port: port().default(7445).describe('Its port on localhost.'),
  })
  .prefault({})
  .describe('KubePrism: a load balancer for the Kubernetes API on every node.');

export const hostDNS = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Run it.'),
    forwardKubeDNSToHost: z.boolean().default(true).describe('CoreDNS asks it.'),
  })
  .prefault({})
  .describe('Host DNS: the caching resolver of each node.');

export const discovery = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Nodes find each other through it.'),
    service: url(['https', 'http'], 'https://discovery.talos.dev/')
      .default('https://discovery.talos.dev/')
      .describe('Address of the service.'),
  })
  .prefault({})
  .describe('Cluster discovery.');

export const kubeSpan = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Encrypt all traffic between nodes with WireGuard.'),
    mtu: integer(576, 9216).describe('MTU of its link.').optional(),
  })
  .prefault({})
  .describe('KubeSpan; needs discovery.');

export const firewall = z
  .strictObject({
    enabled: z.boolean().default(false).describe('Block what a role does not need.'),
    management: z
      .array(cidr())
      .max(32)
      .default([])
      .describe('Networks that may reach the Talos and Kubernetes APIs; empty: all.'),
  })
  .prefault({})
  .describe('Talos’ ingress firewall.');

const diskKey = () =>
  oneOf(
    {
      nodeID: z
        .strictObject({})
        .describe('Key derived from the node; guards a disk that leaves its machine.')
        .optional(),
      tpm: z.strictObject({}).describe('Key sealed in the TPM; needs SecureBoot.').optional(),
      passphrase: secret().describe('A passphrase.').optional(),
      kms: z
        .strictObject({
          endpoint: url(['https', 'grpc'], 'https://kms.example.org:4050').describe('Address of the key server.'),
        })
        .describe('A key server.')
        .optional(),
    },
    ['nodeID', 'tpm', 'passphrase', 'kms'],
  );

export const encryption = z
  .strictObject({
    state: diskKey().describe('Partition of the machine configuration.').optional(),
    ephemeral: diskKey().describe('Partition of everything else.').optional(),
  })
  .prefault({})
  .describe('Disk encryption.');

/** Text that goes somewhere else as it is. */
const privateText = (max: number) => note(z.string().max(max), { private: true });

export const extensionServices = namedBy(
  z.strictObject({
    environment: mapOf('the name of an environment variable', /^[A-Za-z_][A-Za-z0-9_]*$/, privateText(4096))
      .default({})
      .describe('Environment variables that are not secret.'),
    secrets: mapOf('the name of an environment variable', /^[A-Za-z_][A-Za-z0-9_]*$/, secret())
      .default({})
      .describe('Secret environment variables, such as TS_AUTHKEY of tailscale.'),
    files: mapOf('an absolute path', /^\/[^\s]+$/, privateText(65536))
      .default({})
      .describe('Files by the path they are mounted at.'),
  }),
  32,
)
  .default({})
  .describe('Configuration of extension services, by service name (tailscale, nut-client, …).');

export const manifests = z
  .strictObject({
    inline: namedBy(privateText(262144).min(1), 64).default({}).describe('Manifests as text, by name.'),
    urls: z
      .array(url(['https', 'http'], 'https://example.org/manifest.yaml'))
      .max(64)
      .default([])
      .describe('Manifests that Talos fetches.'),
  })
  .prefault({})
  .describe('Kubernetes manifests that Talos applies when the cluster starts.');

export const names = z
  .strictObject({
    controlPlane: free('{platform}-cp-{index}', 120)
      .default('{platform}-cp-{index}')
      .describe('Name of a control plane.'),
    worker: free('{platform}-{pool}-{index}', 120)
      .default('{platform}-{pool}-{index}')
      .describe('Name of a worker. Without {pool} one counter runs over all pools.'),
  })
  .prefault({})
  .describe('How machines are named: {platform}, {pool}, {index} from 0, {number} from 1; {index:2} has two digits.');

export const clusterName = () => label('prod').describe('Name of the Talos and Kubernetes cluster.').optional();

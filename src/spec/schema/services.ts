import * as z from 'zod';
import { catalog } from './catalog.ts';
import { note } from './notes.ts';
import { duration, free, hostname, label, oneOf, path, secret, url, version } from './values.ts';

const credentials = oneOf(
  {
    sshKey: secret()
      .describe('Private key; absent with an ssh URL: ichor makes a deploy key and shows its public half.')
      .optional(),
    token: secret().describe('Token for https.').optional(),
  },
  ['sshKey', 'token'],
  'at most one',
)
  .prefault({})
  .describe('How the repository is read.');

const repository = {
  url: url(['ssh', 'https', 'http', 'file'], 'ssh://git@example.org/platform.git').describe('The repository.'),
  branch: free('main', 255).default('main').describe('Its branch.'),
  path: path('clusters/prod').default('.').describe('Folder of this cluster in it.'),
  credentials,
};

const flux = z
  .strictObject({
    ...repository,
    version: version('v2.9.4')
      .describe('Version of Flux; absent: the one this release of ichor was checked with.')
      .optional(),
    interval: duration().default('10m').describe('How often the cluster is brought back to what Git says.'),
    components: z
      .array(z.enum(['image-reflector-controller', 'image-automation-controller', 'source-watcher']))
      .max(3)
      .default([])
      .describe('Controllers besides the four usual ones.'),
    knownHosts: path('./known_hosts')
      .describe('Host keys of the repository’s server; absent: pinned at first contact.')
      .optional(),
    sops: z.boolean().default(false).describe('Decrypt SOPS files with the platform’s age key.'),
  })
  .describe('Flux.');

const argocd = z
  .strictObject({
    ...repository,
    version: version('v3.2.0')
      .describe('Version of Argo CD; absent: the one this release of ichor was checked with.')
      .optional(),
    project: label('default').default('default').describe('Argo CD project of the root application.'),
    host: note(hostname('argocd.example.org').describe('Name it is reached at.').optional(), {
      derived: 'argocd. in front of services.domain',
    }),
  })
  .describe('Argo CD.');

const clusterApi = z
  .strictObject({
    infrastructure: z
      .array(z.enum(['openstack', 'proxmox', 'metal3', 'docker']))
      .min(1)
      .max(4)
      .describe('Infrastructure providers.'),
    version: version('v1.13.5')
      .describe('Version of Cluster API; absent: the one this release of ichor was checked with.')
      .optional(),
    topology: z.boolean().default(false).describe('Switch ClusterClass on.'),
  })
  .describe('Cluster API with the Talos bootstrap and control plane providers, to make this a management cluster.');

/** Layer 2: what runs on the cluster. */
export const services = z
  .strictObject({
    domain: note(hostname('prod.example.org').describe('Domain that services get their names in.').optional(), {
      derived: 'the first zone of configuration.dns',
    }),
    gitops: oneOf({ flux: flux.optional(), argocd: argocd.optional() }, ['flux', 'argocd'])
      .describe('Hand-over to GitOps: everything after the network lives in Git.')
      .optional(),
    clusterApi: clusterApi.optional(),
    catalog,
  })
  .prefault({})
  .describe('Layer 2: what runs on the cluster.');

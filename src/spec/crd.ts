import type * as z from 'zod';
import { type JsonSchema } from './json-schema.ts';
import { named } from './kinds.ts';
import { apiVersion, metadata, platformSpec } from './schema/platform.ts';
import { platformStatus, substrateStatus } from './schema/status.ts';
import { substrateSpec } from './schema/substrate.ts';
import { structural } from './structural.ts';
import {
  kubernetesClusterSpec,
  kubernetesClusterStatus,
  kubevirtConfigSpec,
  machineClassSpec,
  namedStatus,
  networkNamespaceSpec,
  networkNamespaceStatus,
  vitiApiVersion,
} from './viti/schema.ts';

type Column = {
  readonly name: string;
  readonly jsonPath: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly description?: string;
  /** 0 is always shown; more only with `-o wide`. */
  readonly priority?: number;
};

type Resource = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly description: string;
  readonly spec: z.ZodType;
  readonly status: z.ZodType;
  readonly columns: readonly Column[];
};

const column = (name: string, jsonPath: string, more: Partial<Column> = {}): Column => ({
  name,
  jsonPath,
  type: 'string',
  ...more,
});

const ready = column('Ready', '.status.conditions[?(@.type=="Ready")].status', {
  description: 'Whether it is as the file says.',
});
const phase = column('Phase', '.status.phase', { description: 'Where it is in its life.' });
const age = column('Age', '.metadata.creationTimestamp', { type: 'date' });
const created = column('Created', '.status.created', { description: 'When it was made.' });

const own: readonly Resource[] = [
  {
    apiVersion,
    kind: 'Platform',
    plural: 'platforms',
    shortNames: ['plat'],
    categories: ['ichor'],
    scope: 'Namespaced',
    description: 'A Talos Linux Kubernetes platform: machines, cluster, services and their configuration.',
    spec: platformSpec,
    status: platformStatus,
    columns: [
      phase,
      ready,
      column('CPs', '.status.controlPlanes.summary', { description: 'Control planes that are ready.' }),
      column('Workers', '.status.workers.summary', { description: 'Workers that are ready.' }),
      column('Talos', '.status.versions.talos', { description: 'Talos that runs.' }),
      column('Kubernetes', '.status.versions.kubernetes', { description: 'Kubernetes that runs.' }),
      column('Endpoint', '.status.endpoint', { description: 'Where the Kubernetes API is reached.', priority: 1 }),
      age,
    ],
  },
  {
    apiVersion,
    kind: 'Substrate',
    plural: 'substrates',
    shortNames: ['subst'],
    categories: ['ichor'],
    scope: 'Namespaced',
    description: 'An OpenStack on libvirt hosts that platforms can be built on.',
    spec: substrateSpec,
    status: substrateStatus,
    columns: [
      phase,
      ready,
      column('Controllers', '.status.controllers.summary', { description: 'Controllers that are ready.' }),
      column('Computes', '.status.computes.summary', { description: 'Hypervisors that are ready.' }),
      column('Release', '.status.release', { description: 'OpenStack-Ansible that it was built with.' }),
      column('Endpoint', '.status.endpoint', { description: 'Where Keystone is reached.', priority: 1 }),
      age,
    ],
  },
];

/** As the Viti platform defines them, so that either definition may be installed first. */
const viti: readonly Resource[] = [
  {
    apiVersion: vitiApiVersion,
    kind: 'KubernetesCluster',
    plural: 'kubernetesclusters',
    shortNames: ['kc'],
    categories: ['vitistack'],
    scope: 'Namespaced',
    description: 'A Kubernetes cluster of the Viti platform.',
    spec: kubernetesClusterSpec('whole'),
    status: kubernetesClusterStatus,
    columns: [
      phase,
      column('Provider', '.spec.data.provider', { description: 'Who builds it.' }),
      column('Region', '.spec.data.region', { description: 'Where it is.' }),
      column('CPs', '.spec.topology.controlplane.replicas', { type: 'integer', description: 'Control planes.' }),
      column('Workers', '.status.workers', { type: 'integer', description: 'Workers of all pools.' }),
      column('Message', '.status.message', { description: 'What is going on.', priority: 1 }),
      age,
    ],
  },
  {
    apiVersion: vitiApiVersion,
    kind: 'MachineClass',
    plural: 'machineclasses',
    shortNames: ['mc'],
    categories: ['vitistack'],
    scope: 'Cluster',
    description: 'A size of machines.',
    spec: machineClassSpec,
    status: namedStatus,
    columns: [
      column('Display Name', '.spec.displayName'),
      column('Category', '.spec.category'),
      column('Default', '.spec.default'),
      column('Cpu Cores', '.spec.cpu.cores'),
      column('Cpu Sockets', '.spec.cpu.sockets'),
      column('Cpu Threads', '.spec.cpu.threads'),
      column('Gpu Cores', '.spec.gpu.cores'),
      column('Memory', '.spec.memory.quantity'),
      column('Enabled', '.spec.enabled'),
      created,
    ],
  },
  {
    apiVersion: vitiApiVersion,
    kind: 'NetworkNamespace',
    plural: 'networknamespaces',
    shortNames: ['nn'],
    categories: ['vitistack'],
    scope: 'Namespaced',
    description: 'A network that clusters are built in.',
    spec: networkNamespaceSpec,
    status: networkNamespaceStatus,
    columns: [
      column('DatacenterIdentifier', '.spec.datacenterIdentifier'),
      column('VLANID', '.status.vlanId', { type: 'integer', priority: 10 }),
      phase,
      column('Status', '.status.status'),
      created,
    ],
  },
  {
    apiVersion: vitiApiVersion,
    kind: 'KubevirtConfig',
    plural: 'kubevirtconfigs',
    shortNames: ['kvc'],
    categories: ['vitistack'],
    scope: 'Cluster',
    description: 'A KubeVirt cluster that machines may run in.',
    spec: kubevirtConfigSpec,
    status: namedStatus,
    columns: [column('Name', '.spec.name'), phase, column('Status', '.status.status'), created],
  },
];

export type CustomResourceDefinition = JsonSchema & {
  readonly metadata: { readonly name: string };
};

/** The definitions that make an API server know these resources: of one kind, or all. */
export function customResourceDefinitions(kind?: string): readonly CustomResourceDefinition[] {
  const resources = [...own, ...viti];
  if (kind === undefined) return resources.map(definition);
  const wanted = named(
    kind,
    resources.map((resource) => resource.kind),
  );
  return resources.filter((resource) => resource.kind === wanted).map(definition);
}

function definition(resource: Resource): CustomResourceDefinition {
  const [group = '', version = ''] = resource.apiVersion.split('/');
  const { kind, plural, shortNames, categories, scope, columns } = resource;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase(), shortNames, categories },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema: rootSchema(resource) },
        },
      ],
    },
  };
}

function rootSchema({ apiVersion: version, description, spec, status }: Resource): JsonSchema {
  const ours = version === apiVersion;
  return {
    description,
    type: 'object',
    ...(ours ? { required: ['spec'] } : {}),
    properties: {
      apiVersion: { description: 'Version of the schema of this resource.', type: 'string' },
      kind: { description: 'What it is.', type: 'string' },
      metadata: ours ? { type: 'object', properties: { name: structural(metadata.shape.name) } } : { type: 'object' },
      spec: structural(spec),
      status: structural(status),
    },
  };
}

import * as z from 'zod';
import { cel, note } from '../schema/notes.ts';
import { condition, time } from '../schema/status.ts';

/** The group of the Viti platform. Its schemas are kept as open as the originals: nothing that they accept is refused. */
export const vitiApiVersion = 'vitistack.io/v1alpha1';

const strings = () => z.record(z.string(), z.string());

/** Names of Kubernetes resources may have dots; those of machines, which come from clusterId, may not. */
export const vitiMetadata = z.looseObject({
  name: note(
    z
      .string()
      .min(1)
      .max(253)
      .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/)
      .meta({ examples: ['my-cluster'] })
      .describe('Name of the resource.'),
    { wants: 'lower-case letters, digits, dashes and dots' },
  ),
  namespace: z.string().describe('Namespace of the resource.').optional(),
  labels: strings().describe('Labels of the resource.').optional(),
  annotations: strings().describe('Annotations of the resource.').optional(),
});

const quantityForm =
  /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/;
const quantity = () =>
  note(z.union([z.int(), z.string().regex(quantityForm)]), { intOrString: true, wants: 'a quantity such as 8Gi' });

const architecture = () => z.enum(['amd64', 'arm64', 'x86_64']).default('amd64').describe('Processor architecture.');

/** In the short form of the file most fields may be left out; the API server wants them all. */
export type Form = 'whole' | 'short';

export function kubernetesClusterSpec(form: Form) {
  const need = <S extends z.ZodType>(schema: S, described: string) => {
    const field = schema.describe(described);
    return (form === 'whole' ? field : field.optional()) as z.ZodOptional<S>;
  };

  const storage = () =>
    z.array(
      z.strictObject({
        class: need(z.string(), 'Storage class.'),
        path: need(z.string(), 'Path; kept, not used.'),
        size: need(z.string(), 'Size such as 20Gi.'),
      }),
    );
  const labels = () =>
    z.strictObject({ labels: need(strings(), 'Labels.'), annotations: need(strings(), 'Annotations.') });

  const data = z.strictObject({
    clusterUid: need(z.string(), 'Unique id in the inventory.'),
    clusterId: need(z.string(), 'Identity: machines, the Secret and the Talos cluster are named after it.'),
    datacenter: need(z.string(), 'Data centre, such as no-south-az1.'),
    region: need(z.string(), 'Region.'),
    zone: need(z.string(), 'Availability zone.'),
    project: need(z.string(), 'Project.'),
    workspace: need(z.string(), 'Workspace.'),
    workorder: need(z.string(), 'Work order.'),
    environment: need(z.string(), 'Environment.'),
    provider: need(z.string(), 'Who builds it; this operator acts on talos.'),
    networkNamespaceName: need(z.string().min(1), 'NetworkNamespace of the machines, in the same namespace.'),
  });

  const replicas = cel(z.int().min(1), 'self % 2 == 1', 'the number of control plane replicas must be odd');

  const controlplane = z.strictObject({
    replicas: need(replicas, 'How many control planes; an odd number.'),
    version: need(z.string(), 'Kubernetes version.'),
    provider: need(z.string(), 'Machine provider.'),
    machineClass: need(z.string(), 'MachineClass of each.'),
    metadata: need(labels(), 'Labels and annotations.'),
    storage: need(storage(), 'Disks; the first one boots.'),
    architecture: architecture(),
  });

  const nodePool = z.strictObject({
    name: z.string().describe('Name of the pool.'),
    machineClass: need(z.string(), 'MachineClass of each.'),
    provider: need(z.string(), 'Machine provider.'),
    version: need(z.string(), 'Kubernetes version.'),
    replicas: need(z.int(), 'How many.'),
    autoscaling: need(
      z.strictObject({
        enabled: need(z.boolean(), 'Whether it scales.'),
        minReplicas: need(z.int(), 'At least.'),
        maxReplicas: need(z.int(), 'At most.'),
        scalingRules: need(z.array(z.string()), 'What it follows.'),
      }),
      'Scaling.',
    ),
    metadata: need(labels(), 'Labels and annotations.'),
    taint: need(
      z.array(
        z.strictObject({
          key: z.string().describe('Key.'),
          value: need(z.string(), 'Value.'),
          effect: z.string().describe('Effect.'),
        }),
      ),
      'Taints.',
    ),
    storage: need(storage(), 'Disks; the first one boots.'),
    architecture: architecture(),
  });

  const pools = z.strictObject({ nodePools: z.array(nodePool).describe('Worker pools.') });
  const workers = form === 'whole' ? pools : note(pools, { shortFor: 'nodePools' });

  return z
    .strictObject({
      data: need(data, 'Identity and place in the inventory.'),
      topology: z
        .strictObject({
          version: need(z.string(), 'Kubernetes version, with or without v.'),
          controlplane: need(controlplane, 'Control planes.'),
          workers: need(workers, 'Workers.'),
        })
        .describe('Shape of the cluster.'),
    })
    .describe('A Kubernetes cluster of the Viti platform.');
}

const resources = () => {
  const used = () =>
    z.strictObject({
      capacity: quantity().describe('All there is.'),
      used: quantity().describe('Used.'),
      percentage: z.int().describe('Used, in percent.'),
    });
  return z.strictObject({ cpu: used(), memory: used(), gpu: used(), disk: used() });
};

export const kubernetesClusterStatus = z.strictObject({
  phase: z.string(),
  message: z.string().optional(),
  workers: z.int().optional(),
  conditions: z.array(
    z.strictObject({
      type: z.string(),
      status: z.string(),
      reason: z.string(),
      message: z.string(),
      lastTransitionTime: z.string(),
    }),
  ),
  state: z.strictObject({
    cluster: z.strictObject({
      externalId: z.string(),
      resources: resources(),
      price: z.strictObject({ monthly: z.int(), yearly: z.int() }),
      controlplane: z.strictObject({
        status: z.string(),
        message: z.string(),
        machineClass: z.string(),
        scale: z.int(),
        resources: resources(),
        nodes: z.array(z.string()),
      }),
      nodepools: z.array(
        z.strictObject({
          name: z.string(),
          status: z.string(),
          message: z.string(),
          machineClass: z.string(),
          scale: z.int(),
          autoscaling: z.strictObject({ enabled: z.boolean(), minReplicas: z.int(), maxReplicas: z.int() }),
          resources: resources(),
          nodes: z.array(z.string()),
        }),
      ),
    }),
    versions: z.array(z.strictObject({ name: z.string(), version: z.string(), branch: z.string() })),
    endpoints: z.array(z.strictObject({ name: z.string(), address: z.string() })),
    egressIP: z.string(),
    lastUpdated: time(),
    created: time(),
    lastUpdatedBy: z.string(),
  }),
});

export const machineClassSpec = z
  .strictObject({
    enabled: z.boolean().default(true).describe('May be used.'),
    default: z.boolean().default(false).describe('Used where none is named.'),
    category: z.string().default('Standard').describe('Kind of class.'),
    displayName: z.string().describe('Name for people.').optional(),
    description: z.string().describe('What it is for.').optional(),
    cpu: z
      .strictObject({
        cores: z.int().describe('Cores.'),
        sockets: z.int().describe('Sockets.').optional(),
        threads: z.int().describe('Threads per core.').optional(),
      })
      .describe('Processors.'),
    memory: z
      .strictObject({
        quantity: quantity().describe('Memory.'),
        minQuantity: quantity().describe('At least.').optional(),
        maxQuantity: quantity().describe('At most.').optional(),
      })
      .describe('Memory.'),
    gpu: z
      .strictObject({ cores: z.int().describe('How many.'), manufacturer: z.string().describe('Maker.').optional() })
      .describe('Graphics processors.')
      .optional(),
    machineProviders: z.array(z.string()).describe('Providers that offer it; empty: all.'),
  })
  .describe('A size of machines.');

export const namedStatus = z.strictObject({
  name: z.string().optional(),
  phase: z.string().optional(),
  status: z.string().optional(),
  message: z.string().optional(),
  created: z.string().optional(),
});

const identifier = () =>
  z
    .string()
    .min(2)
    .max(32)
    .regex(/^[A-Za-z0-9_-]+$/);

export const networkNamespaceSpec = z
  .strictObject({
    datacenterIdentifier: identifier().describe('Data centre.'),
    supervisorIdentifier: identifier().describe('Supervisor cluster.'),
    ipAllocation: z
      .strictObject({
        type: z.enum(['dhcp', 'static']).describe('How machines get addresses.'),
        provider: z
          .string()
          .max(32)
          .regex(/^[A-Za-z0-9_-]+$/)
          .describe('Who gives them, such as kea or static-ip-operator.')
          .optional(),
        static: z
          .strictObject({
            ipv4CIDR: z
              .string()
              .regex(/^([0-9]{1,3}\.){3}[0-9]{1,3}\/[0-9]{1,2}$/)
              .describe('Network.'),
            ipv4Gateway: z.string().describe('Gateway.'),
            ipv4RangeStart: z.string().describe('First address to give.').optional(),
            ipv4RangeEnd: z.string().describe('Last address to give.').optional(),
            vlanId: z.int().min(0).max(4094).describe('VLAN.').optional(),
            dns: z.array(z.string()).describe('Name servers.').optional(),
            ttlSeconds: z.int().min(60).default(3600).describe('How long an unused address stays allocated.'),
          })
          .describe('For type static.')
          .optional(),
        dhcp: z
          .strictObject({ requireClientClasses: z.array(z.string()).describe('Client classes of Kea.').optional() })
          .describe('For type dhcp.')
          .optional(),
      })
      .describe('Addresses; absent: DHCP.')
      .optional(),
  })
  .describe('A network that clusters are built in.');

export const networkNamespaceStatus = z.strictObject({
  conditions: z.array(condition).optional(),
  phase: z.string().optional(),
  status: z.string().optional(),
  message: z.string().optional(),
  created: time().optional(),
  observedGeneration: z.int().optional(),
  retryCount: z.int().optional(),
  datacenterIdentifier: z.string().optional(),
  supervisorIdentifier: z.string().optional(),
  namespaceId: z.string().optional(),
  ipv4Prefix: z.string().optional(),
  ipv6Prefix: z.string().optional(),
  ipv4EgressIp: z.string().optional(),
  ipv6EgressIp: z.string().optional(),
  vlanId: z.int().optional(),
  associatedKubernetesClusterIds: z.array(z.string()).optional(),
  ipAllocationStatus: z
    .strictObject({
      type: z.enum(['dhcp', 'static']).optional(),
      provider: z.string().optional(),
      allocatedCount: z.int().optional(),
      availableCount: z.int().optional(),
      totalCount: z.int().optional(),
      allocatedIPs: z.array(z.strictObject({ ip: z.string(), networkConfiguration: z.string() })).optional(),
    })
    .optional(),
});

export const kubevirtConfigSpec = z
  .strictObject({
    name: z.string().describe('Name.'),
    secretNamespace: z.string().describe('Namespace of the Secret.'),
    kubeconfigSecretRef: z.string().describe('Secret with the kubeconfig of a KubeVirt cluster.'),
  })
  .describe('A KubeVirt cluster that machines may run in.');

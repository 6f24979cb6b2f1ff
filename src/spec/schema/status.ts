import * as z from 'zod';
import { note } from './notes.ts';

/** A point in time, as Kubernetes writes it. */
export const time = () => z.iso.datetime({ offset: true });

const count = () => z.int().min(0);
const generation = () => z.int().min(0).describe('The generation of the resource that this was seen at.').optional();

/** metav1.Condition. */
export const condition = z
  .strictObject({
    type: z
      .string()
      .max(316)
      .regex(
        /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$/,
      )
      .describe('What is said about it, such as Ready.'),
    status: z.enum(['True', 'False', 'Unknown']).describe('Whether it is so.'),
    reason: z
      .string()
      .min(1)
      .max(1024)
      .regex(/^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/)
      .describe('Why, in one word for programs.'),
    message: z.string().max(32768).describe('Why, in words for people.'),
    lastTransitionTime: time().describe('Since when it is so.'),
    observedGeneration: generation(),
  })
  .describe('One thing that is known about the resource.');

const conditions = () =>
  note(z.array(condition).max(64).describe('What is known about it; Ready sums it up.').optional(), {
    listMapKeys: ['type'],
  });

const machineCounts = (what: string) =>
  z
    .strictObject({
      desired: count().describe('How many there should be.'),
      ready: count().describe('How many are ready.'),
      summary: z.string().max(32).describe('ready/desired, such as 2/3: for kubectl get.').optional(),
    })
    .describe(what)
    .optional();

const plan = z
  .strictObject({
    hash: z
      .string()
      .max(128)
      .regex(/^sha256:[0-9a-f]{64}$/)
      .describe('Digest of the plan that is carried out; the same plan has the same digest.'),
    steps: count().describe('Steps of the plan.'),
    done: count().describe('Steps that are done.'),
    current: z.array(z.string().max(253)).max(64).describe('Steps under way.').optional(),
    startedAt: time().describe('When it was begun.').optional(),
    finishedAt: time().describe('When it was finished.').optional(),
  })
  .describe('The plan that is carried out, or was last.')
  .optional();

const secretName = (what: string) => z.string().max(253).describe(what).optional();

const common = {
  phase: z
    .enum(['Pending', 'Planning', 'Building', 'Updating', 'Ready', 'Degraded', 'Waiting', 'Failed', 'Deleting'])
    .describe('Where it is in its life. Waiting: something else must happen first; Failed: a person must act.')
    .optional(),
  message: z.string().max(32768).describe('What is going on, or what to do.').optional(),
  observedGeneration: generation(),
  conditions: conditions(),
  plan,
  lastObserved: time().describe('When the world was last looked at.').optional(),
};

export const platformStatus = z
  .strictObject({
    ...common,
    endpoint: z.string().max(2048).describe('Where the Kubernetes API is reached.').optional(),
    versions: z
      .strictObject({
        talos: z.string().max(64).describe('Talos that every machine runs.').optional(),
        kubernetes: z.string().max(64).describe('Kubernetes that every node runs.').optional(),
      })
      .describe('What runs; the oldest, while an upgrade is under way.')
      .optional(),
    controlPlanes: machineCounts('Control planes.'),
    workers: machineCounts('Workers of all pools.'),
    secrets: z
      .strictObject({
        kubeconfig: secretName('Secret with the kubeconfig.'),
        talosconfig: secretName('Secret with the talosconfig.'),
      })
      .describe('Secrets in the namespace of the resource that open the cluster.')
      .optional(),
  })
  .describe('Written by the operator.');

export const substrateStatus = z
  .strictObject({
    ...common,
    endpoint: z.string().max(2048).describe('Where Keystone is reached.').optional(),
    release: z.string().max(64).describe('OpenStack-Ansible that it was built with.').optional(),
    controllers: machineCounts('Machines of the control plane.'),
    computes: machineCounts('Hypervisors.'),
    storage: machineCounts('Volume servers.'),
    secrets: z
      .strictObject({
        clouds: secretName('Secret with clouds.yaml.'),
        ssh: secretName('Secret with the private key of the machines.'),
      })
      .describe('Secrets in the namespace of the resource that open the cloud.')
      .optional(),
  })
  .describe('Written by the operator.');

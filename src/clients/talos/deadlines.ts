/** How long a call may take. `firstMs` until a stream says its first word, `idleMs` between its words; a stream that may be silent for ever has neither. */
export type Deadline = { readonly totalMs?: number; readonly firstMs?: number; readonly idleMs?: number };

const second = 1000;
const minute = 60 * second;

const look = { totalMs: 10 * second } as const;
const change = { totalMs: minute } as const;
const endless = { firstMs: 30 * second } as const;
const finite = { firstMs: 30 * second, idleMs: minute } as const;

/** By the words that a person reads when a deadline has passed. */
export const deadlines = {
  version: look,
  'the host name': look,
  services: look,
  memory: look,
  'a resource': look,
  resources: { firstMs: 10 * second, idleMs: 10 * second },
  'a watch': endless,
  // Before bootstrap no etcd call is ever answered; what is asked for as a guard has its own, shorter one.
  'etcd members': { totalMs: 2 * second },
  'etcd status': { totalMs: 5 * second },
  'etcd alarms': { totalMs: 5 * second },
  'a file': { firstMs: 10 * second, idleMs: 10 * second },
  'the kubeconfig': finite,
  'a snapshot of etcd': finite,
  'the cluster’s health': { firstMs: 30 * second, idleMs: 2 * minute },
  events: endless,
  logs: finite,
  'logs as they come': {},
  'kernel messages': finite,
  'kernel messages as they come': {},
  'a new configuration': { totalMs: 2 * minute },
  bootstrap: { totalMs: 30 * second },
  'recovery of etcd': { totalMs: 15 * minute },
  'another etcd leader': { totalMs: 30 * second },
  'leaving etcd': change,
  'removal of an etcd member': { totalMs: 30 * second },
  'defragmentation of etcd': { totalMs: 5 * minute },
  'disarming of etcd’s alarms': { totalMs: 30 * second },
  reboot: change,
  shutdown: change,
  reset: change,
  rollback: change,
  // Pulls and checks the image before it answers.
  upgrade: { totalMs: 15 * minute },
  'an image': { firstMs: 5 * minute, idleMs: 5 * minute },
  installation: { firstMs: 10 * minute, idleMs: 10 * minute },
  'a service': change,
  'a client certificate': look,
} satisfies Record<string, Deadline>;

export type Verb = keyof typeof deadlines;

/** What changes nothing, however often it is asked, and is answered at once. */
export const looks: ReadonlySet<Verb> = new Set<Verb>([
  'version',
  'the host name',
  'services',
  'memory',
  'a resource',
  'resources',
  'etcd members',
  'etcd status',
  'etcd alarms',
]);

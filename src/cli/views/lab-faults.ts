import type { ActiveFault, LabFault } from '../../lab/fault-board.ts';

/** What goes wrong, as one says it. */
export function faultText(fault: LabFault): string {
  switch (fault.kind) {
    case 'host':
      return `host ${fault.host} is ${fault.state}`;
    case 'api':
      return apiText(fault.fault);
    case 'fill':
      return `datastore ${fault.datastore}${fault.host === undefined ? '' : ` on ${fault.host}`} has ${sizeText(fault.freeGiB)} left`;
    case 'node':
      return nodeTexts[fault.how](fault.node);
    case 'kubernetes':
      return kubernetesTexts[fault.how];
    case 'far':
      return fault.byMs === 0 ? 'the lab is near' : `far away: every answer takes ${fault.byMs} ms longer`;
    case 'storm':
      return `a storm: ${percent(fault.share)} of all requests, seed ${fault.seed}`;
    case 'read-only':
      return fault.on ? 'read-only: every write is refused' : 'writes are carried out';
  }
}

export const activeText = ({ fault, struck }: ActiveFault): string =>
  `${faultText(fault)}${struck === undefined ? '' : ` (struck ${struck === 1 ? 'once' : `${struck} times`})`}`;

const apiKinds: Readonly<Record<string, string>> = {
  'lose-answer': 'answers are lost',
  'lose-request': 'requests are lost',
  'refuse-and-do': 'requests are refused, and done all the same',
  'fail-task': 'tasks fail',
  'kill-task': 'tasks are killed',
  'warn-task': 'tasks end with warnings',
};

function apiText({
  kind,
  match = 'every request',
  times,
  share,
  status,
  reason,
  delayMs,
}: Extract<LabFault, { kind: 'api' }>['fault']): string {
  const what =
    kind === 'refuse'
      ? `refused with ${status ?? 500}`
      : kind === 'delay'
        ? `delayed by ${(delayMs ?? 0) / 1000}s`
        : kind === 'lock'
          ? `VMs are locked for ${(delayMs ?? 0) / 1000}s`
          : (apiKinds[kind] ?? kind);
  return [
    `${match}: ${what}`,
    ...(reason === undefined ? [] : [`"${reason}"`]),
    ...(share === undefined ? [] : [`${percent(share)} of them`]),
    ...(times === undefined ? [] : [times === 1 ? 'once' : `${times} times`]),
  ].join(', ');
}

const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`;

const sizeText = (gib: number): string => (Number.isInteger(gib) ? `${gib}GiB` : `${Math.round(gib * 1024)}MiB`);

const nodeTexts: Readonly<Record<Extract<LabFault, { kind: 'node' }>['how'], (node: string) => string>> = {
  'no-agent': (node) => `nobody answers at the agent of ${node}`,
  'no-address': (node) => `${node} gets no address from its next boot on`,
  hang: (node) => `Talos on ${node} hangs`,
  silent: (node) => `Talos on ${node} takes no connections`,
  dead: (node) => `the process of ${node} died`,
  well: (node) => `${node} is well`,
};

const kubernetesTexts = {
  up: 'Kubernetes answers',
  down: 'Kubernetes answers 503',
  slow: 'Kubernetes takes 2s for every answer',
  'drop-watches': 'open watches have ended',
} as const;

import type { LabCluster, LabVm } from '../lab-control.ts';
import type { SeenLab } from '../lab-status.ts';
import type { Terminal } from '../terminal.ts';
import { table } from './table.ts';

export const statusJson = (labs: readonly SeenLab[]): string =>
  `${JSON.stringify(
    {
      labs: labs.map(({ entry: { name, pid, dir, facts }, state }) => ({
        name,
        pid,
        dir,
        ready: facts !== undefined && state !== undefined,
        ...facts,
        hosts: state?.hosts ?? [],
        vms: state?.vms ?? [],
        clusters: state?.clusters ?? [],
      })),
    },
    null,
    2,
  )}\n`;

export function statusText(labs: readonly SeenLab[], terminal: Terminal): string {
  if (labs.length === 0) return 'No lab runs. Start one:\n    ichor lab start --detach\n';
  return labs.map((lab) => labText(lab, terminal)).join('\n');
}

function labText({ entry: { name, pid, facts }, state }: SeenLab, { paint }: Terminal): string {
  if (facts === undefined || state === undefined) return `${paint('bold', name)}: starts (process ${pid})\n`;
  const pace = facts.speed === 1 ? '' : `, ${facts.speed} times as fast as the wall clock`;
  const wait = facts.latencyMs === 0 ? '' : `, ${facts.latencyMs} ms before every answer`;
  const running = state.vms.filter((vm) => vm.running).length;
  const titled = (text: string): string => paint('dim', text);
  const hosts = table(
    [{ title: 'host' }, { title: 'endpoint' }, { title: 'VMs', align: 'right' }],
    state.hosts.map((host) => [host.name, host.endpoint, String(host.vms)]),
    titled,
  );
  const vms = table(
    [
      { title: 'vmid', align: 'right' },
      { title: 'name' },
      { title: 'host' },
      { title: 'inside' },
      { title: 'addresses' },
    ],
    state.vms.map((vm) => [String(vm.vmid), vm.name, vm.host, insideText(vm), vm.addresses.join(', ')]),
    titled,
  );
  return [
    `${paint('bold', name)}: Proxmox VE ${facts.version} in ${facts.network}${pace}${wait} (process ${pid})`,
    ...hosts.map((line) => `  ${line}`),
    ...(state.vms.length === 0 ? [] : ['', ...vms.map((line) => `  ${line}`)]),
    ...state.clusters.flatMap((cluster) =>
      ['', ...clusterLines(cluster, titled)].map((line) => (line === '' ? '' : `  ${line}`)),
    ),
    '',
    `  ${state.vms.length} ${state.vms.length === 1 ? 'VM' : 'VMs'}, ${running} running.`,
    '',
  ].join('\n');
}

const clusterLines = ({ name, endpoint, nodes }: LabCluster, titled: (text: string) => string): readonly string[] => [
  `Kubernetes ${name} at ${endpoint}:`,
  ...table(
    [{ title: 'node' }, { title: 'state' }, { title: 'kubelet' }],
    nodes.map((node) => [node.name, node.ready ? 'Ready' : 'NotReady', node.version]),
    titled,
  ),
];

function insideText({ running, talos }: LabVm): string {
  if (!running) return 'off';
  return talos === undefined ? 'no Talos' : `Talos ${talos.version}, ${talos.stage}`;
}

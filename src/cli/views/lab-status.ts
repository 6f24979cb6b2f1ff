import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { labFiles, type LabEntry, type LabFacts } from '../lab-folder.ts';
import type { LabCluster, LabHost, LabState, LabVm } from '../lab-state.ts';
import { quoted } from '../command-line.ts';
import type { SeenLab } from '../lab-status.ts';
import type { Terminal } from '../terminal.ts';
import { activeText } from './lab-faults.ts';
import { table } from './table.ts';

export const statusJson = (labs: readonly SeenLab[]): unknown => ({
  labs: labs.map(({ entry: { name, pid, dir, facts }, state }) => ({
    name,
    pid,
    dir,
    ready: facts !== undefined && state !== undefined,
    ...facts,
    hosts: state?.hosts ?? [],
    vms: state?.vms ?? [],
    clusters: state?.clusters ?? [],
    faults: (state?.faults ?? []).map((active) => ({ ...active, text: activeText(active) })),
  })),
});

export function statusText(labs: readonly SeenLab[], terminal: Terminal): string {
  if (labs.length === 0) return 'No lab runs. Start one:\n    ichor lab start --detach\n';
  return labs.map((lab) => labText(lab, terminal)).join('\n');
}

function labText({ entry, state }: SeenLab, { paint }: Terminal): string {
  const { name, pid, facts } = entry;
  if (facts === undefined || state === undefined) return `${paint('bold', name)}: starts (process ${pid})\n`;
  const pace = facts.speed === 1 ? '' : `, ${facts.speed} times as fast as the wall clock`;
  const wait = facts.latencyMs === 0 ? '' : `, ${facts.latencyMs} ms before every answer`;
  const running = state.vms.filter((vm) => vm.running).length;
  const titled = (text: string): string => paint('dim', text);
  const hosts = table(
    [
      { title: 'host' },
      { title: 'endpoint' },
      { title: 'state' },
      { title: 'VMs', align: 'right' },
      { title: 'cpu', align: 'right' },
      { title: 'memory', align: 'right' },
    ],
    state.hosts.map(hostRow),
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
    ...(state.faults.length === 0
      ? []
      : ['', paint('yellow', '  What goes wrong:'), ...state.faults.map((fault) => `    ${activeText(fault)}`)]),
    '',
    ...pointers(entry, facts, state).map((line) => (line === '' ? '' : `  ${line}`)),
    '',
    `  ${state.vms.length} ${state.vms.length === 1 ? 'VM' : 'VMs'}, ${running} running.`,
    '',
  ].join('\n');
}

const gibOf = (mib: number): string => String(Math.round(mib / 1024));

const hostRow = ({ name, endpoint, state, vms, cpus, memoryMiB }: LabHost): readonly string[] => [
  name,
  endpoint,
  state,
  String(vms),
  `${cpus.given} of ${cpus.all}`,
  `${gibOf(memoryMiB.given)} of ${gibOf(memoryMiB.all)}GiB`,
];

/** What terraform, talosctl and kubectl are told to find it. */
function pointers({ dir }: LabEntry, facts: LabFacts, { vms, clusters }: LabState): readonly string[] {
  const at = (file: string): string => quoted(join(dir, file));
  const [endpoint = ''] = Object.values(facts.endpoints);
  const waiting = vms.find(({ talos, addresses }) => talos?.stage === 'maintenance' && addresses.length > 0);
  const [cluster] = clusters;
  // Whoever brought the cluster up has its files.
  const isOurs = existsSync(join(dir, labFiles.kubeconfig));
  const file = (name: string): string => (isOurs ? at(name) : `talos/${name}`);
  const plane = cluster?.nodes.find(({ role }) => role === 'control-plane');
  return [
    `terraform  export SSL_CERT_FILE=${at(labFiles.ca)} PROXMOX_VE_ENDPOINT=${endpoint} PROXMOX_VE_API_TOKEN="$(cat ${at(labFiles.token)})"`,
    ...(waiting === undefined ? [] : [`talosctl   talosctl -n ${waiting.addresses[0] ?? ''} get disks --insecure`]),
    ...(cluster === undefined
      ? []
      : [
          ...(isOurs ? [] : ['', 'In the folder that ichor up was run in:']),
          `talosctl   talosctl --talosconfig ${file(labFiles.talosconfig)} -e ${plane?.address ?? 'ADDRESS'} -n ${plane?.address ?? 'ADDRESS'} get members`,
          `kubectl    kubectl --kubeconfig ${file(labFiles.kubeconfig)} get nodes`,
        ]),
  ];
}

const clusterLines = (
  { name, endpoint, holder, nodes }: LabCluster,
  titled: (text: string) => string,
): readonly string[] => [
  `Kubernetes ${name} at ${endpoint}${holder === undefined ? '' : `, which ${holder} has`}:`,
  ...table(
    [{ title: 'node' }, { title: 'role' }, { title: 'state' }, { title: 'kubelet' }, { title: 'address' }],
    nodes.map((node) => [node.name, node.role, node.ready ? 'Ready' : 'NotReady', node.version, node.address]),
    titled,
  ),
];

function insideText({ running, talos }: LabVm): string {
  if (!running) return 'off';
  return talos === undefined ? 'no Talos' : `Talos ${talos.version}, ${talos.stage}`;
}

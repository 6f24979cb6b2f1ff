import { quoted } from '../command-line.ts';
import type { Terminal } from '../terminal.ts';

/** A lab that answers, and where everything of it is. */
export type Started = {
  readonly name: string;
  readonly proxmox: {
    readonly endpoint: string;
    readonly token: string;
    readonly ca: string;
    readonly hosts: readonly string[];
    readonly version: string;
    readonly endpoints: Readonly<Record<string, string>>;
    readonly fingerprint: string;
    readonly tokenFile: string;
    readonly username: string;
  };
  readonly factory: string;
  readonly network: {
    readonly cidr: string;
    /** Undefined: they cannot be reached from outside. */
    readonly guests: string | undefined;
    readonly insteadOf: string | undefined;
  };
  readonly speed: number;
  readonly platform: string;
  /** Of the cluster that runs in it; absent: none was asked for. */
  readonly kubeconfig?: string;
  readonly talosconfig?: string;
  readonly dir: string;
  readonly pid: number;
};

/** What is there, how to look at it, and how to end it. */
export function startedText(
  { name, proxmox, factory, network, speed, pid, ...paths }: Started,
  { detach }: { readonly detach: boolean },
  { paint }: Terminal,
): string {
  const { hosts, version, endpoint } = proxmox;
  const [platform, ca, tokenFile] = [quoted(paths.platform), quoted(proxmox.ca), quoted(proxmox.tokenFile)];
  const [kubeconfig, talosconfig] = [paths.kubeconfig, paths.talosconfig].map((path) => path && quoted(path));
  const pace = speed === 1 ? '' : `, ${speed} times as fast as the wall clock`;
  const many = hosts.length > 4 ? `${hosts[0]} to ${hosts.at(-1)}` : hosts.join(', ');
  const row = (title: string, value: string): string => `  ${paint('dim', title.padEnd(9))} ${value}\n`;
  const type = (command: string): string => `  ${paint('cyan', command)}\n`;
  const option = name === 'lab' ? '' : ` --name ${name}`;
  return [
    `${paint('bold', `Proxmox VE ${version} that is not there`)}: ${many}${pace}.\n`,
    network.insteadOf === undefined ? '' : `Somebody is in ${network.insteadOf}, so it is in ${network.cidr}.\n`,
    '\n',
    row('endpoint', endpoint),
    row('token', `root@pam!lab, in ${tokenFile}`),
    row('authority', ca),
    row('platform', platform),
    row('images', factory),
    row('machines', network.guests === undefined ? 'not to be reached from outside' : `addresses of ${network.guests}`),
    kubeconfig === undefined ? '' : row('cluster', `kubeconfig ${kubeconfig}`),
    talosconfig === undefined ? '' : row('', `talosconfig ${talosconfig}`),
    ...(network.guests === undefined || kubeconfig !== undefined
      ? []
      : ['\nBuild a cluster in it, from the folder that is to keep its files:\n', type(`ichor up -f ${platform}`)]),
    '\nLook at it:\n',
    ...(kubeconfig === undefined
      ? []
      : [
          type(`kubectl --kubeconfig ${kubeconfig} get nodes`),
          type(`ichor talos health --talosconfig ${talosconfig ?? ''}`),
        ]),
    type(`ichor hosts -f ${platform}`),
    type(`ichor place -f ${platform}`),
    type(`ichor lab status${option}`),
    type(
      `curl --cacert ${ca} -H "Authorization: PVEAPIToken=$(cat ${tokenFile})" ${endpoint}/api2/json/cluster/resources`,
    ),
    '\nWith OpenTofu and its bpg/proxmox provider:\n',
    type(`export SSL_CERT_FILE=${ca} PROXMOX_VE_ENDPOINT=${endpoint} PROXMOX_VE_API_TOKEN="$(cat ${tokenFile})"`),
    ...(network.guests === undefined || kubeconfig !== undefined
      ? []
      : ['\nOnce a machine runs:\n', type('talosctl -n ADDRESS get disks --insecure')]),
    '\nEnd it:\n',
    detach ? type(`ichor lab stop${option}`) : '  Ctrl-C\n',
    detach ? paint('dim', `\nIt runs in the background, as process ${pid}.\n`) : '',
  ].join('');
}

import { mask } from '../config/values.ts';

/** The user data that Proxmox writes from a VM’s own options. */
export function userData(config: ReadonlyMap<string, string>, vmid: number, hidden: boolean): string {
  const { hostname, fqdn } = namesOf(config, vmid);
  const user = config.get('ciuser');
  const password = config.get('cipassword');
  const keys = sshKeys(config.get('sshkeys'));
  return [
    '#cloud-config',
    `hostname: ${hostname}`,
    'manage_etc_hosts: true',
    `fqdn: ${fqdn}`,
    ...(user === undefined ? [] : [`user: ${user}`]),
    ...(user === 'root' ? ['disable_root: False'] : []),
    ...(password === undefined ? [] : [`password: ${hidden ? mask : password}`]),
    ...(keys === undefined ? [] : ['ssh_authorized_keys:', ...keys.map((key) => `  - ${key}`)]),
    'chpasswd:',
    '  expire: False',
    ...(user === 'root' ? [] : ['users:', '  - default']),
    ...(config.get('ciupgrade') === '0' ? [] : ['package_upgrade: true']),
    '',
  ].join('\n');
}

function namesOf(config: ReadonlyMap<string, string>, vmid: number): { hostname: string; fqdn: string } {
  const name = config.get('name') ?? `VM${vmid}`;
  const search = config.get('searchdomain');
  if (name.includes('.')) return { hostname: name.slice(0, name.indexOf('.')), fqdn: name };
  return { hostname: name, fqdn: search === undefined || search === '' ? name : `${name}.${search}` };
}

/** They are kept as they came, percent-encoded. */
function sshKeys(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decoded.split('\n').filter((line) => /\S/.test(line));
}

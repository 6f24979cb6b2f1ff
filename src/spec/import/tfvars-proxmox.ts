import type { Part } from './foreign.ts';
import { memoryOf } from './sizes.ts';
import type { Sketch } from './sketch.ts';

const place = 'machines.proxmox';

export function putProxmox(root: Part, sketch: Sketch): void {
  putEndpoint(root, sketch);
  putCredentials(root, sketch);
  const insecure = root.find('proxmox.insecure', 'proxmox.tls_insecure', 'proxmox_tls_insecure', 'pm_tls_insecure');
  if (insecure?.flag() === true) {
    sketch.put(`${place}.tls.insecure`, true, insecure);
    insecure.remark(
      'Any certificate is accepted: pin it with tls.fingerprint instead, which the web interface shows under Node, System, Certificates.',
    );
  }
  const capacity = root.find('pve_capacity', 'capacity_budget', 'proxmox.capacity');
  const hosts = putHosts(root, capacity, sketch);
  const datastore = root.find(
    'proxmox.datastore_id',
    'proxmox.datastore',
    'proxmox.storage',
    'proxmox_platform.storage.datastore_id',
    'datastore_id',
  );
  const images = root.find('talos.image_factory.storage', 'proxmox.iso_storage', 'proxmox.iso_datastore');
  const bridge = root.find(
    'proxmox.bridge',
    'proxmox.network_bridge',
    'proxmox_platform.network.bridge',
    'network_bridge',
  );
  const vlan = root.find('proxmox.vlan_id', 'proxmox.vlan', 'proxmox_platform.network.vlan_id', 'vlan_id');
  sketch.put(`${place}.datastore`, datastore?.text(), datastore);
  sketch.put(`${place}.imageDatastore`, images?.text(), images);
  sketch.put(`${place}.bridge`, bridge?.text(), bridge);
  // 0 is how modules say "no tag".
  sketch.put(`${place}.vlan`, vlan?.count() || undefined, vlan);
  if (capacity) putCapacity(capacity, hosts, sketch);
}

const somewhere = 'https://pve1.example.org:8006';

/** All of these places that hold something. */
const partsAt = (root: Part, places: readonly string[]): readonly Part[] =>
  places.flatMap((written) => root.find(written) ?? []);

function putEndpoint(root: Part, sketch: Sketch): void {
  const [written, ...others] = partsAt(root, [
    'proxmox.endpoint',
    'proxmox.api_url',
    'proxmox.url',
    'proxmox_endpoint',
    'proxmox_api_url',
    'pm_api_url',
  ]);
  const endpoint = written && endpointOf(written);
  for (const other of others)
    if (endpointOf(other) !== endpoint) other.note('Not carried over: another address is used.');
  sketch.put(`${place}.endpoint`, endpoint ?? somewhere, written);
  if (endpoint !== undefined) return;
  sketch.comment(`${place}.endpoint`, 'FILL IN: the address of any host of your Proxmox cluster.');
  root.remark(`No address of the Proxmox API is given: ${place}.endpoint is an example to be filled in.`);
}

function endpointOf(part: Part): string | undefined {
  const text = part.text()?.trim() ?? '';
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || url.hostname === '') {
    part.note('Not carried over: it is not the address of an API.');
    return undefined;
  }
  if (url.username !== '' || url.password !== '') part.remark('The user in it is not carried over.');
  if (url.protocol !== 'https:') part.remark('Proxmox serves its API by https only.');
  const port = /^[^/]*\/\/[^/]*:(\d+)(?:\/|$)/.exec(written)?.[1] ?? '8006';
  return `https://${url.hostname}:${port}`;
}

function putCredentials(root: Part, sketch: Sketch): void {
  const tokens = partsAt(root, [
    'proxmox_api_token_secret',
    'proxmox_api_token',
    'proxmox.api_token_secret',
    'proxmox.api_token',
    'proxmox.token_secret',
    'proxmox.token',
    'pm_api_token_secret',
    'api_token',
  ]);
  const ids = partsAt(root, ['proxmox_api_token_id', 'proxmox.api_token_id', 'proxmox.token_id', 'pm_api_token_id']);
  const [user] = partsAt(root, ['proxmox.username', 'proxmox.user', 'proxmox_username', 'proxmox_user', 'pm_user']);
  const passwords = partsAt(root, ['proxmox.password', 'proxmox_password', 'pm_password']);
  const hasToken = tokens.length + ids.length > 0;
  for (const id of ids) id.note('Not written to the file: it goes into PROXMOX_TOKEN, in front of the secret.');
  for (const token of tokens) token.note(`Not written to the file: ${howToExport}`);
  for (const password of passwords)
    password.note(
      hasToken ? 'Not written to the file: the token is used.' : 'Not written to the file: export PROXMOX_PASSWORD.',
    );
  if (passwords.length > 0 && !hasToken) {
    sketch.put(`${place}.login`, { username: user?.text() ?? 'root@pam', password: { env: 'PROXMOX_PASSWORD' } }, user);
    return;
  }
  sketch.put(`${place}.token`, { env: 'PROXMOX_TOKEN' });
  if (hasToken) return;
  sketch.comment(`${place}.token`, 'Export it as USER@REALM!NAME=SECRET.');
  root.remark(`No credentials of the Proxmox API are given: ${howToExport}`);
}

const howToExport = 'export PROXMOX_TOKEN as USER@REALM!NAME=SECRET.';

function putHosts(root: Part, capacity: Part | undefined, sketch: Sketch): readonly string[] {
  const written = root.find(
    'proxmox.target_nodes',
    'proxmox.nodes',
    'proxmox.hosts',
    'proxmox.target_node',
    'proxmox.node',
    'proxmox_platform.placement_targets.hostnames',
    'target_nodes',
  );
  const named = written?.texts() ?? [];
  const budgeted = capacity?.parts().map(({ key }) => key) ?? [];
  const hosts = named.length > 0 ? named : budgeted;
  if (hosts.length > 0) {
    sketch.put(`${place}.hosts`, hosts, named.length > 0 ? written : capacity);
    if (named.length === 0) root.remark('No hosts are named for the machines: those with a capacity are taken.');
    return hosts;
  }
  sketch.put(`${place}.hosts`, ['pve1'], written);
  sketch.comment(`${place}.hosts`, 'FILL IN: the hosts that machines may be placed on.');
  root.remark(`No hosts are named for the machines: ${place}.hosts is an example to be filled in.`);
  return ['pve1'];
}

function putCapacity(capacity: Part, hosts: readonly string[], sketch: Sketch): void {
  for (const host of capacity.parts()) {
    const cpu = host.find('vcpu', 'vcpus', 'cpu', 'cpus', 'cores');
    const memory = host.find('memory', 'ram', 'memory_mb');
    const count = cpu?.count();
    const size = memory && memoryOf(memory);
    if (!hosts.includes(host.key)) host.note('Not carried over: machines are not placed on this host.');
    else if (count === undefined || size === undefined)
      host.note('Not carried over: vcpu and memory are both needed. What the host has is observed instead.');
    else sketch.put([...place.split('.'), 'capacity', host.key], { cpu: count, memory: size }, host);
  }
}

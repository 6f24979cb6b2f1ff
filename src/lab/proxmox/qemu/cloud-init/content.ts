import { createHash } from 'node:crypto';
import type { Datacenter } from '../../datacenter.ts';
import type { CloudInit } from '../../guest.ts';
import { died } from '../../refusal.ts';
import type { Vm } from '../../vm.ts';
import { parseProperties } from '../config/property-string.ts';
import { networkConfig } from './network.ts';
import { userData } from './user-data.ts';

type Config = ReadonlyMap<string, string>;

/** Linux takes its data from a drive called cidata; Windows from one that looks like OpenStack’s. */
const dialectOf = (config: Config): string =>
  config.get('citype') ?? ((config.get('ostype') ?? '').startsWith('w') ? 'configdrive2' : 'nocloud');

/** What `cloudinit/dump` shows. */
export function dumped(config: Config, vmid: number, type: string, hidden: boolean): string {
  if (type === 'user') return userData(config, vmid, hidden);
  const network = networkConfig(config, dialectOf(config));
  return type === 'network' ? network : metaData(config, userData(config, vmid, false), network);
}

function metaData(config: Config, user: string, network: string): string {
  const id = createHash('sha1')
    .update(user + network)
    .digest('hex');
  return dialectOf(config) === 'nocloud'
    ? `instance-id: ${id}\n`
    : `{\n     "uuid": "${id}",\n     "network_config": { "content_path": "/content/0000" }\n}\n`;
}

/** What is on the drive: own files where `cicustom` names them. */
export function cloudInitOf(datacenter: Datacenter, vm: Vm): CloudInit {
  const { config, vmid } = vm;
  const custom = parseProperties(config.get('cicustom') ?? '');
  const file = (kind: string): string | undefined => {
    const volid = custom.get(kind);
    return volid === undefined ? undefined : snippet(datacenter, vm.host, volid);
  };
  const user = file('user') ?? userData(config, vmid, false);
  const network = file('network') ?? networkConfig(config, dialectOf(config));
  return { userData: user, networkConfig: network, metaData: file('meta') ?? metaData(config, user, network) };
}

function snippet({ storages, hosts }: Datacenter, hostName: string, volid: string): string {
  if (storages.contentOf(volid) !== 'snippets') throw died(`${volid} is not in the snippets directory`);
  const host = hosts.get(hostName);
  const volume = host === undefined ? undefined : storages.find(host, volid);
  if (volume === undefined) throw died(`volume '${volid}' does not exist`);
  return Buffer.from(volume.written.head ?? new Uint8Array()).toString('utf8');
}

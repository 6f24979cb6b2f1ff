import { createHash } from 'node:crypto';
import type { MachineRequest, Mark, StaticAddress } from '../provider.ts';
import { isoOf } from './iso9660.ts';

/** Says which file is whose, so that it is found again and taken away. */
export const cidataName = ({ platform, name, uuid }: Mark): string =>
  `ichor-${platform}-${name}-${createHash('sha256').update(uuid.toLowerCase()).digest('hex').slice(0, 12)}.iso`.replaceAll(
    /[^a-zA-Z0-9_.-]/g,
    '_',
  );

/** The medium that Talos’ nocloud platform reads at its first boot. Secret: it holds the machine configuration. */
export function cidataIso(
  request: Pick<MachineRequest, 'mark' | 'hostname' | 'mac' | 'staticAddress'>,
  config: string,
  at: Date,
): Uint8Array {
  const files = [
    { name: 'meta-data', content: metaData(request.mark, request.hostname) },
    ...(request.staticAddress === undefined
      ? []
      : [{ name: 'network-config', content: networkConfig(request.mac, request.staticAddress) }]),
    { name: 'user-data', content: config },
  ];
  return isoOf({
    label: 'cidata',
    files: files.map(({ name, content }) => ({ name, content: Buffer.from(content) })),
    at,
  });
}

const metaData = ({ uuid }: Mark, hostname: string): string =>
  [`instance-id: ${uuid}`, `local-hostname: ${hostname}`, ''].join('\n');

/** The first version of the format, as Proxmox itself writes it: Talos reads its dialect of the second one differently. */
export function networkConfig(mac: string, { address, prefix, gateway, nameservers }: StaticAddress): string {
  const six = address.includes(':');
  return [
    'version: 1',
    'config:',
    '    - type: physical',
    '      name: eth0',
    `      mac_address: '${mac.toLowerCase()}'`,
    '      subnets:',
    `      - type: ${six ? 'static6' : 'static'}`,
    `        address: '${six ? `${address}/${prefix}` : address}'`,
    ...(six ? [] : [`        netmask: '${netmask(prefix)}'`]),
    ...(gateway === undefined ? [] : [`        gateway: '${gateway}'`]),
    ...(nameservers.length === 0
      ? []
      : ['    - type: nameserver', '      address:', ...nameservers.map((each) => `      - '${each}'`)]),
    '',
  ].join('\n');
}

const netmask = (prefix: number): string =>
  [24, 16, 8, 0].map((shift) => (((2 ** prefix - 1) * 2 ** (32 - prefix)) / 2 ** shift) & 255).join('.');

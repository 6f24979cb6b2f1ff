import { decodeBase64 } from '../go/base64.ts';
import { addressFault, hostPortFault, isCidr, isPlainAddress } from '../go/net.ts';
import type { Values } from '../reading.ts';
import { bondFaults } from './bond.ts';
import { flagAt, numberAt, quote, section, sectionsAt, textAt, textsAt, type Report } from './report.ts';

const exclusive = 'config sections are mutually exclusive';

/** Rules for `machine.network.interfaces`. */
export function checkDevices(devices: readonly (Values | null)[], report: Report): void {
  const members = memberships(devices, report);
  for (const device of devices) {
    if (device === null) report.errors.push('empty device');
    else if (!flagAt(device, 'ignore')) checkDevice(device, members, report);
  }
}

function memberships(devices: readonly (Values | null)[], { errors }: Report): ReadonlyMap<string, string> {
  const owner = new Map<string, string>();
  for (const device of devices) {
    if (device === null) continue;
    const name = textAt(device, 'interface');
    const [bond, bridge] = [section(device, 'bond'), section(device, 'bridge')];
    if (bond !== undefined && bridge !== undefined)
      errors.push(`interface has both bridge and bond sections set ${quote(name)}: ${exclusive}`);
    if (textsAt(bond, 'interfaces').length > 0 && sectionsAt(bond, 'deviceSelectors').length > 0)
      errors.push(`interface ${quote(name)} has both interfaces and selectors set: ${exclusive}`);
    for (const link of textsAt(bridge ?? bond, 'interfaces')) {
      const other = owner.get(link);
      if (other !== undefined && other !== name)
        errors.push(
          `interface ${quote(link)} is declared as part of two separate links: ${quote(other)} and ${quote(name)}`,
        );
      owner.set(link, name);
    }
  }
  return owner;
}

function checkDevice(device: Values, members: ReadonlyMap<string, string>, report: Report): void {
  report.errors.push(
    ...nameFaults(device),
    ...bondFaults(section(device, 'bond')),
    ...wireguardFaults(section(device, 'wireguard')),
    ...vlanFaults(device),
  );
  checkAddresses(device, members, report);
  report.errors.push(...routeFaults(sectionsAt(device, 'routes')));
}

function nameFaults(device: Values): readonly string[] {
  const [named, selector] = [textAt(device, 'interface') !== '', section(device, 'deviceSelector')];
  const both = '[networking.os.device.interface], [networking.os.device.deviceSelector]';
  const empty = selector !== undefined && Object.values(selector).every((value) => value === '');
  return [
    ...(!named && selector === undefined ? [`${both}: required either config section to be set`] : []),
    ...(named && selector !== undefined ? [`${both}: ${exclusive}`] : []),
    ...(empty ? ['[networking.os.device.deviceSelector]: config section should contain at least one field'] : []),
  ];
}

function keyFault(key: string): string | undefined {
  const raw = decodeBase64(key);
  if (typeof raw === 'string') return raw;
  return raw.length === 32 ? undefined : `wrong key ${quote(key)} length: ${raw.length}`;
}

function wireguardFaults(wireguard: Values | undefined): readonly string[] {
  if (wireguard === undefined) return [];
  const own = keyFault(textAt(wireguard, 'privateKey'));
  const peers = sectionsAt(wireguard, 'peers').flatMap((peer) => {
    const key = keyFault(textAt(peer ?? undefined, 'publicKey'));
    const endpoint = textAt(peer ?? undefined, 'endpoint');
    return [
      ...(key === undefined ? [] : [`public key invalid: ${key}`]),
      ...(endpoint === '' || containsPort(endpoint) ? [] : [`peer endpoint ${quote(endpoint)} is invalid`]),
      ...textsAt(peer ?? undefined, 'allowedIPs')
        .filter((cidr) => !isCidr(cidr))
        .map((cidr) => `peer allowed IP ${quote(cidr)} is invalid: invalid CIDR address: ${cidr}`),
    ];
  });
  return [...(own === undefined ? [] : [`private key is invalid: ${own}`]), ...peers];
}

function containsPort(endpoint: string): boolean {
  if (hostPortFault(endpoint) !== undefined) return false;
  const host = endpoint.slice(0, endpoint.lastIndexOf(':')).replace(/^\[(.*)\]$/s, '$1');
  return !host.includes(':') || addressFault(host) === undefined;
}

function addressWords(text: string): string | undefined {
  if (text.includes('/')) return isCidr(text) ? undefined : `invalid CIDR address: ${text}`;
  return isPlainAddress(text) ? undefined : `failed to parse IP address ${quote(text)}`;
}

function vlanFaults(device: Values): readonly string[] {
  return sectionsAt(device, 'vlans').flatMap((vlan) => {
    const given = vlan ?? {};
    const place = `${textAt(device, 'interface')}.${numberAt(given, 'vlanId')}`;
    const [cidr, addresses] = [textAt(given, 'cidr'), textsAt(given, 'addresses')];
    const wrong = (what: string, text: string): readonly string[] => {
      const words = addressWords(text);
      return words === undefined ? [] : [`[networking.os.device.vlan.${what}] ${place}: ${words}`];
    };
    return [
      ...(addresses.length > 0 && cidr !== ''
        ? [`[networking.os.device.vlan] ${place}: vlan can't have both .cidr and .addresses set`]
        : []),
      ...(cidr === '' ? [] : wrong('CIDR', cidr)),
      ...addresses.flatMap((address) => wrong('addresses', address)),
    ];
  });
}

function checkAddresses(device: Values, members: ReadonlyMap<string, string>, { errors, warnings }: Report): void {
  const name = textAt(device, 'interface');
  const [cidr, addresses, vip] = [textAt(device, 'cidr'), textsAt(device, 'addresses'), section(device, 'vip')];
  if (members.has(name) && (flagAt(device, 'dhcp') || cidr !== '' || addresses.length > 0 || vip !== undefined))
    errors.push(
      `[networking.os.device] ${quote(name)}: bonded/bridged interface shouldn't have any addressing methods configured`,
    );
  if (addresses.length > 0 && cidr !== '')
    errors.push(`[networking.os.device] ${quote(name)}: interface can't have both .cidr and .addresses set`);
  if (cidr !== '') {
    const words = addressWords(cidr);
    if (words !== undefined) errors.push(`[networking.os.device.CIDR] ${quote(name)}: ${words}`);
    warnings.push(
      `${quote(name)}: machine.network.interface.cidr is deprecated, please use machine.network.interface.addresses`,
    );
  }
  for (const address of addresses) {
    const words = addressWords(address);
    if (words !== undefined) errors.push(`[networking.os.device.addresses] ${quote(name)}: ${words}`);
  }
  if (vip !== undefined && !isPlainAddress(textAt(vip, 'ip')))
    errors.push(`[networking.os.device.vip] failed to parse ${quote(textAt(vip, 'ip'))} as IP address`);
}

function routeFaults(routes: readonly (Values | null)[]): readonly string[] {
  return routes.flatMap((route, at) => {
    const place = `networking.os.device.route[${at}]`;
    const part = (key: string): string => textAt(route ?? undefined, key);
    const invalid = (key: string, valid: (text: string) => boolean): readonly string[] =>
      part(key) === '' || valid(part(key)) ? [] : [`[${place}.${key}] ${quote(part(key))}: invalid network address`];
    return [
      ...invalid('network', isCidr),
      ...invalid('gateway', isPlainAddress),
      ...(part('gateway') === '' && part('network') === ''
        ? [`[${place}]: either network or gateway should be set`]
        : []),
      ...invalid('source', isPlainAddress),
    ];
  });
}

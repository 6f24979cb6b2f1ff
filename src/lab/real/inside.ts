import { execFileSync } from 'node:child_process';
import type { GuestInterface } from '../proxmox/guest.ts';
import { networkNamespace } from './network.ts';

type Link = {
  readonly ifname: string;
  readonly address?: string;
  readonly addr_info?: readonly { readonly family: string; readonly local?: string; readonly prefixlen: number }[];
};

/** Of one that goes away while it is looked at, nothing is left to see. */
function quietly(program: string, ...args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/** The links of a node and what is on them, as its kernel says. */
export function interfacesIn(node: string): readonly GuestInterface[] {
  const text = quietly('ip', '-json', '-n', networkNamespace(node), 'address');
  const links = text === '' ? [] : (JSON.parse(text) as readonly Link[]);
  return links.map(({ ifname, address = '', addr_info = [] }) => ({
    name: ifname,
    mac: address,
    addresses: addr_info.flatMap(({ family, local, prefixlen }) =>
      local === undefined
        ? []
        : [{ address: local, prefix: prefixlen, family: family === 'inet6' ? ('ipv6' as const) : ('ipv4' as const) }],
    ),
  }));
}

/** Those on its card that others can reach. */
export const addressesIn = (node: string): readonly string[] =>
  interfacesIn(node)
    .filter(({ name }) => name === 'eth0')
    .flatMap(({ addresses }) => addresses.filter(({ family }) => family === 'ipv4').map(({ address }) => address));

export const hostnameOf = (pid: number): string =>
  quietly('nsenter', `--uts=/proc/${pid}/ns/uts`, 'uname', '-n').trim();

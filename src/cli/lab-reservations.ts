import { isIPv4 } from 'node:net';
import { Problem } from '../model/problem.ts';
import { readSources } from './files.ts';

export type LabReservation = { readonly mac: string; readonly address?: string; readonly hostname?: string };

/** Lines as dnsmasq has them: dhcp-host=MAC,ADDRESS,NAME with either of the last two. */
export async function readReservations(path: string): Promise<readonly LabReservation[]> {
  const [source] = await readSources([path]);
  const lines = Buffer.from(source?.content ?? new Uint8Array())
    .toString('utf8')
    .split('\n');
  return lines.flatMap((line, index) => (/^\s*(#|$)/.test(line) ? [] : [readLine(line.trim(), path, index + 1)]));
}

function readLine(line: string, file: string, number: number): LabReservation {
  const [, values = ''] = /^dhcp-host=(.*)$/.exec(line) ?? [];
  const [mac = '', ...others] = values.split(',').map((value) => value.trim());
  if (!/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac) || others.length === 0)
    throw new Problem('bad-reservation', 'This line is no reservation.', {
      at: { file, line: number, column: 1, length: Math.max(line.length, 1) },
      remedy: 'Write dhcp-host=MAC,ADDRESS,NAME, as ichor machines --output dnsmasq does.',
    });
  const address = others.find((value) => isIPv4(value));
  // Addresses in brackets are for DHCPv6, which the lab has none of.
  const hostname = others.find((value) => !isIPv4(value) && !value.startsWith('[') && value !== '');
  return { mac, ...(address === undefined ? {} : { address }), ...(hostname === undefined ? {} : { hostname }) };
}

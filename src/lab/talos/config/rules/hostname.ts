import type { Values } from '../reading.ts';
import { quote, textAt, type Report } from './report.ts';

/** `auto: off` without a name came with 1.12.9 and 1.13.3. */
const takesNoName = (minor: number, patch: number): boolean =>
  minor >= 14 || (minor === 13 && patch >= 3) || (minor === 12 && patch >= 9);

export function checkHostname(document: Values, minor: number, patch: number, { errors }: Report): void {
  const auto = document['auto'] as string | undefined;
  const hostname = textAt(document, 'hostname');
  const nothing = takesNoName(minor, patch) ? auto === undefined : auto === undefined || auto === 'off';
  if (nothing && hostname === '') errors.push("either 'auto' or 'hostname' must be set");
  if (auto !== undefined && auto !== 'off' && hostname !== '')
    errors.push("'auto' and 'hostname' cannot be set at the same time");
  if (auto === 'talos-addr') errors.push(`invalid value for 'auto': ${auto}`);
  if (hostname === '') return;
  if (Buffer.byteLength(hostname) > 253) errors.push(`fqdn is too long: ${Buffer.byteLength(hostname)}`);
  const first = hostname.split('.')[0] ?? '';
  if (first === '' || Buffer.byteLength(first) > 63) errors.push(`invalid hostname ${quote(first)}`);
}

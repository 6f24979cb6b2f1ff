import type { Listed, LiveState } from '../machines.ts';
import type { Terminal } from '../terminal.ts';
import { table } from './table.ts';

/** The machines for people; where somebody looked, also which of them are there. */
export function machinesText(found: readonly Listed[], { paint }: Terminal): string {
  const looked = found.some(({ live }) => live !== undefined);
  const columns = [
    { title: 'machine' },
    { title: 'role' },
    ...(looked ? [{ title: 'state' }, { title: 'host' }] : []),
    { title: 'vmid', align: 'right' } as const,
    { title: 'mac' },
    { title: 'address' },
    { title: 'uuid' },
  ];
  const rows = found.map(({ name, role, live, vmid, mac, address, uuid }) => [
    name,
    role ?? '-',
    ...(looked ? [stateOf(live), live?.host ?? '-'] : []),
    String(vmid ?? '-'),
    mac,
    address ?? 'by DHCP',
    uuid,
  ]);
  return `${table(columns, rows, (text) => paint('dim', text)).join('\n')}\n`;
}

function stateOf(live: LiveState | undefined): string {
  if (live === undefined) return 'not looked at';
  const busy = live.busy === null ? '' : `, ${live.busy}`;
  const left = live.leftBehind ? ', not in the file' : '';
  return `${live.state === 'absent' ? 'not there' : live.state}${busy}${left}`;
}

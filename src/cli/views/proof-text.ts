import type { Gauge, HostProof, Proof } from '../../model/proof.ts';
import { diskGiB } from '../../model/machine.ts';
import { formatGiB, formatMiB } from '../../model/size.ts';
import type { Terminal } from '../terminal.ts';
import { amount, isShown, missing, resourceName } from './amounts.ts';
import { membersAfter, shortBy, workersAfter } from './loss-words.ts';
import { table } from './table.ts';
import { wrappedWords } from './wrap.ts';

type Paint = Terminal['paint'];

/** The proof for people: how full hosts get, who goes where and why, what a lost host means, and what is missing. */
export function proofText(proof: Proof, { paint, columns }: Terminal): string {
  const sections = [
    headline(proof, paint),
    hostsSection(proof, paint, columns),
    machinesSection(proof, paint),
    lossesSection(proof, paint),
    shortSection(proof, paint),
    remarksSection(proof, paint),
  ];
  return `${sections
    .filter((section) => section.length > 0)
    .map((section) => section.join('\n'))
    .join('\n\n')}\n`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function headline({ kind, platform, fits, certain, machines, hosts }: Proof, paint: Paint): readonly string[] {
  const verdict = fits
    ? paint(['bold', 'green'], 'fits')
    : paint(['bold', 'red'], certain ? 'does not fit' : 'no way to fit it was found');
  const where = hosts.length === 0 ? 'that exist already' : `on ${plural(hosts.length, 'host')}`;
  return [
    `${paint('bold', `${kind.toLowerCase()} ${platform}`)}: ${plural(machines.length, 'machine')} ${where}: ${verdict}`,
  ];
}

function hostsSection({ hosts, shared }: Proof, paint: Paint, columns: number): readonly string[] {
  if (hosts.length === 0) return [];
  const width = Math.max(10, Math.min(40, columns - 60));
  const nameWidth = Math.max(...hosts.map(({ name }) => name.length));
  const labelWidth = Math.max(
    ...hosts.flatMap(({ gauges }) => gauges.map(({ resource }) => resourceName(resource).length)),
  );
  const lines = hosts.flatMap((host) => hostLines(host, { width, nameWidth, labelWidth, columns }, paint));
  const sharedLines = shared.map(
    (gauge) => `${'(all)'.padEnd(nameWidth)}  ${gaugeLine(gauge, width, labelWidth, paint, false)}`,
  );
  return [
    `${paint('dim', 'how full:')} ${paint('blue', '█')} there now  ${paint('green', '▓')} added  ${paint('dim', '·')} free`,
    ...lines,
    ...sharedLines,
  ];
}

type Layout = {
  readonly width: number;
  readonly nameWidth: number;
  readonly labelWidth: number;
  readonly columns: number;
};

function hostLines(
  { name, gauges, machines, tightest }: HostProof,
  { width, nameWidth, labelWidth, columns }: Layout,
  paint: Paint,
): readonly string[] {
  const shown = gauges.filter(isShown);
  const bars = shown.map(
    (gauge, index) =>
      `${index === 0 ? paint('bold', name.padEnd(nameWidth)) : ' '.repeat(nameWidth)}  ${gaugeLine(gauge, width, labelWidth, paint, gauge === tightest)}`,
  );
  const indent = ' '.repeat(nameWidth + 2);
  return [
    ...bars,
    ...wrappedWords(machines.length === 0 ? ['(nothing of this platform)'] : machines, columns - indent.length).map(
      (line) => paint('dim', indent + line),
    ),
  ];
}

function gaugeLine(gauge: Gauge, width: number, labelWidth: number, paint: Paint, tightest: boolean): string {
  const { resource, capacity, before, after } = gauge;
  const share = capacity === 0 ? 1 : after / capacity;
  const percent = `${Math.round(share * 100)}%`.padStart(4);
  const coloured = share > 1 ? paint(['bold', 'red'], percent) : share > 0.9 ? paint('yellow', percent) : percent;
  return `${resourceName(resource).padEnd(labelWidth)} ${bar(gauge, width, paint)} ${coloured}  ${amount(resource, before)} → ${amount(resource, after)} of ${amount(resource, capacity)}${tightest ? paint('dim', '  tightest') : ''}`;
}

function bar({ capacity, before, after }: Gauge, width: number, paint: Paint): string {
  const cells = (value: number): number =>
    Math.max(0, Math.min(width, Math.round((value / Math.max(capacity, 1)) * width)));
  const others = cells(Math.min(before, after));
  const ours = Math.max(cells(after) - others, after > before && others < width ? 1 : 0);
  return (
    paint('blue', '█'.repeat(others)) +
    paint(after > capacity ? 'red' : 'green', '▓'.repeat(ours)) +
    paint('dim', '·'.repeat(Math.max(0, width - others - ours)))
  );
}

function machinesSection({ machines }: Proof, paint: Paint): readonly string[] {
  const withVmid = machines.some(({ identity }) => identity.vmid !== null);
  const withAddress = machines.some(({ identity }) => identity.address !== null);
  const withHost = machines.some(({ host }) => host !== null) || machines.every(({ exists }) => !exists);
  const columns = [
    { title: 'machine' },
    ...(withHost ? [{ title: 'host' }] : []),
    ...(withVmid ? [{ title: 'vmid', align: 'right' } as const] : []),
    { title: 'mac' },
    ...(withAddress ? [{ title: 'address' }] : []),
    { title: 'cpu', align: 'right' } as const,
    { title: 'memory', align: 'right' } as const,
    { title: 'disk', align: 'right' } as const,
    { title: 'why there' },
  ];
  const rows = machines.map(({ machine, identity, host, because }) => [
    machine.name,
    ...(withHost ? [host ?? '-'] : []),
    ...(withVmid ? [String(identity.vmid ?? '-')] : []),
    identity.mac,
    ...(withAddress ? [identity.address ?? '-'] : []),
    String(machine.shape.cpu),
    formatMiB(machine.shape.memoryMiB),
    formatGiB(diskGiB(machine.shape)),
    because,
  ]);
  return table(columns, rows, (text) => paint('dim', text));
}

function lossesSection({ losses, kind }: Proof, paint: Paint): readonly string[] {
  if (losses.length === 0) return [];
  const rows = losses.map((loss) => [loss.host, membersAfter(loss, kind), `${workersAfter(loss)}${shortBy(loss)}`]);
  return table(
    [{ title: 'if lost' }, { title: kind === 'Platform' ? 'etcd' : 'controllers' }, { title: 'workers' }],
    rows,
    (text) => paint('dim', text),
  ).map((line, index) => {
    const loss = losses[index - 1];
    return loss !== undefined && (loss.quorum === 'lost' || !loss.fit) ? paint('yellow', line) : line;
  });
}

function shortSection({ short, nearest, fits }: Proof, paint: Paint): readonly string[] {
  if (fits) return [];
  const lacking = short.map((shortage) => {
    const who =
      shortage.machines === 0 || shortage.group === 'all'
        ? ''
        : `${shortage.group}: ${plural(shortage.machines, 'machine')} without room: `;
    return `  ${who}missing ${missing(shortage)}`;
  });
  const wouldFit = nearest.map(({ change, from, to }) => `  ${change}: ${from} → ${to}`);
  return [
    paint(['bold', 'red'], 'missing:'),
    ...lacking,
    ...(wouldFit.length === 0 ? [] : [paint('bold', 'each of these would fit:'), ...wouldFit]),
  ];
}

const remarksSection = ({ remarks }: Proof, paint: Paint): readonly string[] =>
  remarks.map((remark) => `${paint('yellow', 'note')}: ${remark}`);

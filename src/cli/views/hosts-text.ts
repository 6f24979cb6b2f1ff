import type { HostLoad, Load, Surveyed } from '../../engine/hosts.ts';
import type { Resident } from '../../model/host.ts';
import type { Terminal } from '../terminal.ts';
import { amount, resourceName } from './amounts.ts';
import { wrappedWords } from './wrap.ts';

type Paint = Terminal['paint'];

/** Hosts for people: how full each is, who sits there, and which did not answer. */
export function hostsText({ provider, loads, shared, silent, readOnly }: Surveyed, terminal: Terminal): string {
  const { paint, columns } = terminal;
  const names = [...loads.map(({ name }) => name), ...silent.map(({ host }) => host)];
  const labels = [...loads.flatMap((host) => host.loads.map(({ resource }) => resourceName(resource).length)), 6];
  const layout: Layout = {
    nameWidth: Math.max(5, ...names.map((name) => name.length)),
    labelWidth: Math.max(...labels),
    width: Math.max(10, Math.min(40, columns - 62)),
    columns,
  };
  const all = loads.length + silent.length;
  return [
    `${paint('bold', `${provider.product} ${provider.version}`)}: ${all} ${all === 1 ? 'host' : 'hosts'}`,
    ...(readOnly === undefined ? [] : [`${paint(['bold', 'red'], 'read only')}: ${readOnly}`]),
    '',
    `${paint('dim', 'how full:')} ${paint('green', '█')} platforms  ${paint('blue', '▓')} everybody else  ${paint('dim', '·')} free`,
    ...loads.flatMap((host) => hostLines(host, layout, paint)),
    ...silent.map(
      ({ host, because }) => `${host.padEnd(layout.nameWidth)}  ${paint('red', `did not answer: ${because}`)}`,
    ),
    ...Object.entries(shared).map(
      ([name, free]) =>
        `${'(all)'.padEnd(layout.nameWidth)}  ${resourceName(`disk:${name}`).padEnd(layout.labelWidth)} ${amount(`disk:${name}`, free)} free, shared by the hosts`,
    ),
    '',
  ].join('\n');
}

type Layout = {
  readonly nameWidth: number;
  readonly labelWidth: number;
  readonly width: number;
  readonly columns: number;
};

function hostLines({ name, loads, residents }: HostLoad, layout: Layout, paint: Paint): readonly string[] {
  const { nameWidth, columns } = layout;
  const bars = loads.map(
    (load, index) =>
      `${index === 0 ? paint('bold', name.padEnd(nameWidth)) : ' '.repeat(nameWidth)}  ${loadLine(load, layout, paint)}`,
  );
  const indent = ' '.repeat(nameWidth + 2);
  const sitting = residents.length === 0 ? ['(nobody)'] : residents.map(residentName);
  return [...bars, ...wrappedWords(sitting, columns - indent.length).map((line) => paint('dim', indent + line))];
}

const residentName = ({ name, vmid, platform }: Resident): string => {
  const who = name ?? (vmid === undefined ? '?' : `VM ${vmid}`);
  const marked = typeof platform === 'string' ? `${who}*` : who;
  return vmid === undefined || name === undefined ? marked : `${marked} (${vmid})`;
};

function loadLine({ resource, total, ours, others }: Load, { width, labelWidth }: Layout, paint: Paint): string {
  const used = ours + others;
  const share = total === 0 ? 1 : used / total;
  const percent = `${Math.round(share * 100)}%`.padStart(4);
  const coloured = share > 1 ? paint(['bold', 'red'], percent) : share > 0.9 ? paint('yellow', percent) : percent;
  const cells = (value: number): number => Math.round((Math.min(value, total) / Math.max(total, 1)) * width);
  const both = cells(used);
  const own = Math.min(both, ours > 0 ? Math.max(1, cells(ours)) : 0);
  const bar =
    paint('green', '█'.repeat(own)) + paint('blue', '▓'.repeat(both - own)) + paint('dim', '·'.repeat(width - both));
  const free = Math.max(0, total - used);
  return `${resourceName(resource).padEnd(labelWidth)} ${bar} ${coloured}  ${amount(resource, used)} of ${amount(resource, total)}, ${amount(resource, free)} free`;
}

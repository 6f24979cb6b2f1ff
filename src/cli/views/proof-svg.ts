import { groupBy } from '../../model/group.ts';
import type { Gauge, HostProof, Loss, PlacedMachine, Proof } from '../../model/proof.ts';
import { amount, isShown, missing, resourceName } from './amounts.ts';
import { membersAfter, workersAfter } from './loss-words.ts';

/** A picture of the proof: a column per host, a block per machine as high as its share, and what a lost host means. */
export function proofSvg(proofs: readonly Proof[]): string {
  let top = 0;
  const layout = layoutFor(proofs);
  const { width } = layout;
  const parts = proofs.map((proof) => {
    const { body, height } = proofPart(proof, layout);
    const moved = `<g transform="translate(0 ${top})">${body}</g>`;
    top += height;
    return moved;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}" font-family="system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif" role="img">
<title>${escaped(proofs.map(({ platform, fits }) => `${platform}: ${fits ? 'fits' : 'does not fit'}`).join(', '))}</title>
<defs><pattern id="others" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#d4d9e0"/><line x1="0" y1="0" x2="0" y2="6" stroke="#aab2bd" stroke-width="3"/></pattern></defs>
<rect width="${width}" height="${top}" rx="10" fill="#fbfcfe" stroke="#dfe4ea"/>
${parts.join('\n')}
</svg>
`;
}

const margin = 28;
const columnGap = 12;
const mostColumns = 4;
const cardWidths = [560, 560, 420, 350, 268];
const barHeight = 220;
const cardHeight = barHeight + 140;

type Layout = { readonly columns: number; readonly cardWidth: number; readonly width: number };

/** Few hosts get wide cards; a picture is never wider than four of them. */
function layoutFor(proofs: readonly Proof[]): Layout {
  const columns = Math.max(1, Math.min(mostColumns, Math.max(...proofs.map(({ hosts }) => hosts.length))));
  const cardWidth = cardWidths[columns] ?? 268;
  return { columns, cardWidth, width: 2 * margin + columns * cardWidth + (columns - 1) * columnGap };
}

const controlPlaneColour = '#b5651d';
const poolColours = ['#2f6fb3', '#3b8f5a', '#7a5bb0', '#b2457a', '#2a8c96', '#8a7a1f', '#5b6f86', '#a04b3c'];

type Colours = (machine: PlacedMachine['machine']) => string;

function colours({ machines, kind }: Proof): {
  readonly of: Colours;
  readonly legend: readonly (readonly [string, string])[];
} {
  const pools = [...new Set(machines.flatMap(({ machine }) => machine.pool ?? []))].toSorted();
  const byPool = new Map(pools.map((pool, index) => [pool, poolColours[index % poolColours.length] ?? '#2f6fb3']));
  const hasControlPlanes = machines.some(({ machine }) => machine.role === 'control-plane');
  return {
    of: ({ role, pool }) => (role === 'control-plane' ? controlPlaneColour : (byPool.get(pool ?? '') ?? '#2f6fb3')),
    legend: [
      ...(hasControlPlanes
        ? [[kind === 'Platform' ? 'control plane' : 'controllers', controlPlaneColour] as const]
        : []),
      ...byPool,
    ],
  };
}

function proofPart(
  proof: Proof,
  { columns, cardWidth, width }: Layout,
): { readonly body: string; readonly height: number } {
  const { of, legend } = colours(proof);
  const rows = Math.ceil(proof.hosts.length / columns);
  const headHeight = 92;
  const cards = proof.hosts.map((host, index) => {
    const x = margin + (index % columns) * (cardWidth + columnGap);
    const y = headHeight + Math.floor(index / columns) * (cardHeight + columnGap);
    const loss = proof.losses.find((candidate) => candidate.host === host.name);
    return `<g transform="translate(${x} ${y})">${card(host, loss, proof, cardWidth, of)}</g>`;
  });
  const cardsHeight = proof.hosts.length === 0 ? 0 : rows * (cardHeight + columnGap);
  const tail = tailLines(proof);
  const tailTop = headHeight + cardsHeight + 18;
  const tailText = tail.map(({ line, colour }, index) =>
    text(margin, tailTop + index * 20, line, { size: 13, fill: colour }),
  );
  const height = tailTop + tail.length * 20 + 12;
  return { body: [head(proof, legend, width), ...cards, ...tailText].join('\n'), height };
}

function head(
  { kind, platform, fits, machines, hosts }: Proof,
  legend: readonly (readonly [string, string])[],
  width: number,
): string {
  const verdict = fits ? 'fits' : 'does not fit';
  const badge = `<rect x="${width - margin - 120}" y="22" width="120" height="28" rx="14" fill="${fits ? '#e3f4e8' : '#fde7e4'}"/>${text(width - margin - 60, 41, verdict, { size: 14, weight: 600, fill: fits ? '#216e39' : '#b3261e', anchor: 'middle' })}`;
  let x = margin;
  const swatches = [...legend, ...(hosts.length > 0 ? [['used by others', 'url(#others)'] as const] : [])].map(
    ([name, colour]) => {
      const swatch = `<rect x="${x}" y="62" width="12" height="12" rx="3" fill="${colour}"/>${text(x + 18, 72.5, name, { size: 12, fill: '#4a5562' })}`;
      x += 34 + name.length * 6.6;
      return swatch;
    },
  );
  const counts = `${machines.length} ${machines.length === 1 ? 'machine' : 'machines'}${hosts.length > 0 ? ` on ${hosts.length} ${hosts.length === 1 ? 'host' : 'hosts'}` : ' that exist already'}`;
  return [
    `<text x="${margin}" y="43" font-size="20" font-weight="650" fill="#1f262e">${escaped(`${kind.toLowerCase()} ${platform}`)}<tspan dx="12" font-size="13" font-weight="400" fill="#5d6875">${counts}</tspan></text>`,
    badge,
    ...swatches,
  ].join('\n');
}

function card(
  host: HostProof,
  loss: Loss | undefined,
  { machines, platform, kind }: Proof,
  columnWidth: number,
  of: Colours,
): string {
  const gauges = host.gauges.filter(isShown);
  const here = machines.filter((placed) => placed.host === host.name);
  const inner = columnWidth - 28;
  const barWidth = Math.min(150, (inner - (gauges.length - 1) * 8) / gauges.length);
  const bars = gauges.map(
    (gauge, index) =>
      `<g transform="translate(${14 + index * (barWidth + 8)} 40)">${stack(gauge, here, of, barWidth, index === 0 ? platform : undefined)}</g>`,
  );
  return [
    `<rect width="${columnWidth}" height="${cardHeight}" rx="8" fill="#ffffff" stroke="#dfe4ea"/>`,
    text(14, 25, host.name, { size: 15, weight: 600 }),
    text(columnWidth - 14, 25, `${here.length} ${here.length === 1 ? 'machine' : 'machines'}`, {
      size: 12,
      fill: '#5d6875',
      anchor: 'end',
    }),
    ...bars,
    lossLines(loss, kind),
  ].join('\n');
}

function needOf({ machine }: PlacedMachine, resource: Gauge['resource']): number {
  if (resource === 'cpu') return machine.shape.cpu;
  if (resource === 'memory') return machine.shape.memoryMiB;
  return machine.shape.disks
    .filter(({ datastore }) => `disk:${datastore}` === resource)
    .reduce((total, { sizeGiB }) => total + sizeGiB, 0);
}

function stack(
  gauge: Gauge,
  here: readonly PlacedMachine[],
  of: Colours,
  barWidth: number,
  platform: string | undefined,
): string {
  const { resource, capacity, after } = gauge;
  const scale = barHeight / Math.max(capacity, after, 1);
  const ours = here.reduce((total, placed) => total + needOf(placed, resource), 0);
  const others = Math.max(0, after - ours);
  let y = barHeight - others * scale;
  const othersBlock =
    others > 0
      ? `<rect x="0" y="${round(y)}" width="${round(barWidth)}" height="${round(others * scale)}" fill="url(#others)"/>`
      : '';
  const blocks = here.map((placed) => {
    const height = needOf(placed, resource) * scale;
    y -= height;
    if (height <= 0) return '';
    const label =
      platform !== undefined && height >= 11
        ? text(
            barWidth / 2,
            round(y + height / 2 + 3.5),
            shortName(placed.machine.name, platform, Math.floor(barWidth / 5.6)),
            {
              size: 9.5,
              fill: '#ffffff',
              anchor: 'middle',
            },
          )
        : '';
    return `<rect x="0.5" y="${round(y + 0.75)}" width="${round(barWidth - 1)}" height="${round(Math.max(0.5, height - 1.5))}" rx="2" fill="${of(placed.machine)}"><title>${escaped(placed.machine.name)}: ${amount(resource, needOf(placed, resource))}</title></rect>${label}`;
  });
  const share = capacity === 0 ? 1 : after / capacity;
  const limit =
    after > capacity
      ? `<line x1="-3" x2="${round(barWidth + 3)}" y1="${round(barHeight - capacity * scale)}" y2="${round(barHeight - capacity * scale)}" stroke="#b3261e" stroke-width="2"/>`
      : '';
  const colour = share > 1 ? '#b3261e' : share > 0.9 ? '#9a6700' : '#2b333c';
  return [
    `<rect width="${round(barWidth)}" height="${barHeight}" rx="4" fill="#eef1f5"/>`,
    othersBlock,
    ...blocks,
    limit,
    text(barWidth / 2, barHeight + 15, resourceName(resource), { size: 11, fill: '#5d6875', anchor: 'middle' }),
    text(barWidth / 2, barHeight + 45, `of ${amount(resource, capacity)}`, {
      size: 11,
      fill: '#5d6875',
      anchor: 'middle',
    }),
    text(barWidth / 2, barHeight + 30, `${Math.round(share * 100)}%`, {
      size: 11,
      fill: colour,
      anchor: 'middle',
      weight: 600,
    }),
  ].join('');
}

function lossLines(loss: Loss | undefined, kind: Proof['kind']): string {
  if (loss === undefined) return '';
  const y = barHeight + 106;
  const colour = (bad: boolean): string => (bad ? '#b3261e' : '#3d4854');
  return (
    text(14, y, 'if lost:', { size: 11.5, fill: '#5d6875' }) +
    text(60, y, membersAfter(loss, kind), { size: 11.5, fill: colour(loss.quorum === 'lost') }) +
    text(60, y + 17, workersAfter(loss), { size: 11.5, fill: colour(!loss.fit) })
  );
}

function tailLines({
  short,
  nearest,
  shared,
  machines,
  hosts,
}: Proof): readonly { readonly line: string; readonly colour: string }[] {
  const unplaced = machines.filter(({ host }) => host === null && hosts.length > 0);
  const groups = [...groupBy(unplaced, ({ machine }) => machine.pool ?? 'control planes')].map(
    ([group, members]) => `${members.length} of ${group}`,
  );
  return [
    ...shared.map(({ resource, after, capacity }) => ({
      line: `${resourceName(resource)}, shared by all hosts: ${amount(resource, after)} of ${amount(resource, capacity)}`,
      colour: '#3d4854',
    })),
    ...(groups.length > 0 ? [{ line: `without room: ${groups.join(', ')}`, colour: '#b3261e' }] : []),
    ...short.map((shortage) => ({ line: `missing: ${missing(shortage)}`, colour: '#b3261e' })),
    ...nearest.map(({ change, from, to }) => ({ line: `would fit: ${change} ${from} → ${to}`, colour: '#3d4854' })),
  ];
}

/** The part of a name that tells machines apart. */
function shortName(name: string, platform: string, most: number): string {
  const own = name.length <= most ? name : name.replace(`${platform}-`, '');
  return own.length <= most ? own : `…${own.slice(own.length - most + 1)}`;
}

const round = (value: number): number => Math.round(value * 100) / 100;

type TextStyle = {
  readonly size: number;
  readonly fill?: string;
  readonly weight?: number;
  readonly anchor?: 'middle' | 'end';
};

const text = (x: number, y: number, content: string, { size, fill = '#1f262e', weight, anchor }: TextStyle): string =>
  `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${fill}"${weight ? ` font-weight="${weight}"` : ''}${anchor ? ` text-anchor="${anchor}"` : ''}>${escaped(content)}</text>`;

const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

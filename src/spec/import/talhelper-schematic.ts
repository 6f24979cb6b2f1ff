import type { Part } from './foreign.ts';
import type { Sketch } from './sketch.ts';
import { groupPlace, ofRole, shared, type Node } from './talhelper-node.ts';
import { plainText, plainTexts } from './talhelper-text.ts';

type Values = Readonly<Record<string, unknown>>;

/** Settings of the whole cluster in ichor, which talhelper has for each machine. */
const clusterWide: readonly {
  readonly find: (node: Node) => Part | undefined;
  /** Nothing when it is what would be without it. */
  readonly read: (part: Part | undefined) => Values | undefined;
}[] = [
  {
    find: ({ setting }) => setting('schematic')?.find('customization.extraKernelArgs'),
    read(part) {
      const written = plainTexts(part);
      return written.length === 0 ? undefined : { 'cluster.talos.kernelArgs': written };
    },
  },
  {
    find: ({ setting }) => setting('machineSpec')?.find('secureboot'),
    read: (part) => (part?.flag() === true ? { 'cluster.talos.secureBoot': true } : undefined),
  },
  {
    find: ({ setting }) => setting('machineSpec')?.find('arch'),
    read(part) {
      const written = plainText(part) ?? 'amd64';
      return written === 'amd64' ? undefined : { 'cluster.talos.image.architecture': written };
    },
  },
  { find: ({ setting }) => setting('talosImageURL'), read: imageOf },
];

/** What the image is made of: extensions, kernel arguments, processor, SecureBoot. */
export function putSchematics(root: Part, nodes: readonly Node[], sketch: Sketch): void {
  putExtensions(nodes, sketch);
  for (const { find, read } of clusterWide) {
    const found = nodes.map(find).map((part) => ({ part, values: read(part) }));
    const same = shared(found.map(({ values }) => values ?? null));
    if (same === undefined)
      for (const { part, values } of found)
        if (values) part?.note('Not carried over: ichor has it for the whole cluster, and the machines differ.');
    for (const [place, value] of Object.entries(same ?? {})) sketch.put(place, value, found[0]?.part);
  }
  for (const { setting } of nodes) {
    const mode = setting('machineSpec')?.find('mode');
    if (mode && plainText(mode) !== 'metal')
      mode.note('Not carried over: ichor chooses the image that the machines need.');
  }
  putFactory(root.find('imageFactory'), sketch);
}

function putFactory(factory: Part | undefined, sketch: Sketch): void {
  const registry = factory?.find('registryURL');
  const host = plainText(registry);
  const protocol = plainText(factory?.find('protocol')) ?? 'https';
  if (host !== undefined) sketch.put('cluster.talos.image.factory', `${protocol}://${host}`, registry);
}

function imageOf(part: Part | undefined): Values | undefined {
  const url = plainText(part);
  if (url === undefined) return undefined;
  const [, registry, schematic] = /^([^/@]+)\/[\w-]*installer[\w-]*\/([0-9a-f]{64})$/.exec(url) ?? [];
  if (schematic === undefined) {
    part?.note('Not carried over: it is not an installer of an Image Factory.');
    return undefined;
  }
  return {
    'cluster.talos.image.schematic': schematic,
    ...(registry === 'factory.talos.dev' ? {} : { 'cluster.talos.image.factory': `https://${registry}` }),
  };
}

function putExtensions(nodes: readonly Node[], sketch: Sketch): void {
  const all = nodes.map((node) => {
    const from = node.setting('schematic')?.find('customization.systemExtensions.officialExtensions');
    return { node, from, extensions: plainTexts(from) };
  });
  const everywhere = common(all.map(({ extensions }) => extensions));
  // Without the key ichor would add the guest agent of virtual machines.
  sketch.put('cluster.talos.extensions', everywhere, all[0]?.from);
  for (const role of ['controlPlane', 'worker'] as const) {
    const group = all.filter(({ node }) => node.role === role);
    const inGroup = common(group.map(({ extensions }) => extensions)).filter((name) => !everywhere.includes(name));
    if (ofRole(nodes, role).length > 0 && inGroup.length > 0)
      sketch.put(`${groupPlace[role]}.extensions`, inGroup, group[0]?.from);
    for (const { from, extensions } of group) {
      const own = extensions.filter((name) => !everywhere.includes(name) && !inGroup.includes(name));
      if (own.length > 0)
        from?.remark(`Not carried over: ${own.join(', ')}. ichor has extensions for a group of machines, not for one.`);
    }
  }
}

const common = (lists: readonly (readonly string[])[]): readonly string[] =>
  (lists[0] ?? []).filter((name) => lists.every((list) => list.includes(name)));

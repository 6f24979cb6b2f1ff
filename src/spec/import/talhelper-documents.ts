import { childOf, toValue, type Entry, type Tree } from '../tree.ts';
import { under, without } from './configuration.ts';
import type { Part } from './foreign.ts';
import { diskKey, passphraseNote } from './lift.ts';
import { carry, carryWhole } from './prune.ts';
import type { Sketch } from './sketch.ts';
import { groupPlace, shared, type Node } from './talhelper-node.ts';
import { plainText, plainTexts, unfinished } from './talhelper-text.ts';

type Options = {
  /** The network is described in documents of its own: Talos 1.12 and later. */
  readonly networkDocuments: boolean;
  /** Name servers differ from machine to machine. */
  readonly ownNameservers: boolean;
  /** So do extension services. */
  readonly ownServices: boolean;
};

/** Settings without a field in a Platform become patches: of all machines, of a group, or of one machine. */
export function putDocuments(nodes: readonly Node[], sketch: Sketch, options: Options): void {
  const elsewhere = { vip: sketch.get('cluster.endpoint.vip'), encrypted: putEncryption(nodes, sketch) };
  const all = nodes.map((node) => ({ node, patches: patchesOf(node, options, elsewhere) }));
  const everywhere = common(all.map(({ patches }) => patches));
  for (const patch of everywhere) sketch.add('cluster.patches', patch);
  for (const role of ['controlPlane', 'worker'] as const) {
    const group = all.filter(({ node }) => node.role === role);
    const inGroup = common(group.map(({ patches }) => patches)).filter(isNotIn(everywhere));
    for (const patch of inGroup) sketch.add(`${groupPlace[role]}.patches`, patch);
    for (const { node, patches } of group)
      for (const patch of patches.filter(isNotIn([...everywhere, ...inGroup])))
        sketch.add(['cluster', 'nodes', node.machine, 'patches'], patch);
  }
}

const isNotIn = (patches: readonly unknown[]): ((patch: unknown) => boolean) => {
  const known = new Set(patches.map((patch) => JSON.stringify(patch)));
  return (patch) => !known.has(JSON.stringify(patch));
};

const common = (lists: readonly (readonly unknown[])[]): readonly unknown[] =>
  (lists[0] ?? []).filter((patch) => lists.every((list) => !isNotIn(list)(patch)));

/** What the Platform says already, and a patch must not say again. */
type Elsewhere = {
  readonly vip: unknown;
  /** Volumes whose encryption is the cluster's. */
  readonly encrypted: ReadonlySet<string>;
};

function patchesOf(node: Node, options: Options, { vip, encrypted }: Elsewhere): readonly unknown[] {
  const { setting } = node;
  const disks = setting('machineDisks');
  const modules = setting('kernelModules');
  return [
    disks && carried(['machine', 'disks'], disks),
    modules && carried(['machine', 'kernel', 'modules'], modules),
    inMachine('files', filesOf(setting('machineFiles'))),
    resolver(node, options),
    inMachine('network', devicesOf(setting('networkInterfaces'), vip), 'interfaces'),
    ...firewall(setting('ingressFirewall')),
    ...(options.ownServices ? documents('ExtensionServiceConfig', setting('extensionServices')) : []),
    ...documents('VolumeConfig', setting('volumes'), encrypted),
    ...documents('UserVolumeConfig', setting('userVolumes')),
  ].filter((patch) => patch !== undefined);
}

function carried(place: readonly string[], part: Part): unknown {
  part.leave();
  return carry(under(place, part), unfinished);
}

function inMachine(section: string, items: readonly unknown[], list?: string): unknown {
  if (items.length === 0) return undefined;
  return { machine: { [section]: list === undefined ? items : { [list]: items } } };
}

function filesOf(list: Part | undefined): readonly unknown[] {
  list?.leave();
  return (list?.parts() ?? []).flatMap((file) => {
    const content = file.find('content');
    if (content?.text()?.startsWith('@')) {
      content.note('Stands in a file of its own, which is not read.');
      return [];
    }
    const tree = without(file.tree, ['skipEnvsubst']);
    return carryWhole({ ...under([], file), tree }, unfinished) ?? [];
  });
}

/** Interfaces without the VIP that is the cluster's endpoint, and without those that say nothing else. */
function devicesOf(list: Part | undefined, vip: unknown): readonly unknown[] {
  list?.leave();
  return (list?.parts() ?? []).flatMap((device) => {
    const tree = withoutVip(device.tree, vip);
    const keys = tree.kind === 'map' ? [...tree.entries.keys()] : [];
    if (tree !== device.tree && keys.every((key) => ['interface', 'deviceSelector', 'dhcp'].includes(key))) return [];
    return carryWhole({ ...under([], device), tree }, unfinished) ?? [];
  });
}

function withoutVip(device: Tree, vip: unknown): Tree {
  const ip = childOf(childOf(device, 'vip') ?? device, 'ip');
  const own = ip?.kind === 'scalar' && ip.value === vip ? without(device, ['vip']) : device;
  const vlans = own.kind === 'map' ? own.entries.get('vlans') : undefined;
  if (own.kind !== 'map' || vlans?.value.kind !== 'list') return own;
  const items = vlans.value.items.map((vlan) => withoutVip(vlan, vip));
  if (items.every((item, index) => item === (vlans.value.kind === 'list' ? vlans.value.items[index] : undefined)))
    return own;
  const entry: Entry = { ...vlans, value: { ...vlans.value, items } };
  return { ...own, entries: new Map(own.entries).set('vlans', entry) };
}

function resolver({ setting }: Node, { networkDocuments, ownNameservers }: Options): unknown {
  const nameservers = ownNameservers ? plainTexts(setting('nameservers')) : [];
  const silent = setting('disableSearchDomain')?.flag() === true;
  if (nameservers.length === 0 && !silent) return undefined;
  if (!networkDocuments)
    return {
      machine: {
        network: {
          ...(nameservers.length > 0 ? { nameservers } : {}),
          ...(silent ? { disableSearchDomain: true } : {}),
        },
      },
    };
  return {
    apiVersion: 'v1alpha1',
    kind: 'ResolverConfig',
    ...(nameservers.length > 0 ? { nameservers: nameservers.map((address) => ({ address })) } : {}),
    ...(silent ? { searchDomains: { disableDefault: true } } : {}),
  };
}

function firewall(part: Part | undefined): readonly unknown[] {
  if (part === undefined) return [];
  const action = plainText(part.find('defaultAction')) ?? 'accept';
  const general = { apiVersion: 'v1alpha1', kind: 'NetworkDefaultActionConfig', ingress: action };
  return [general, ...documents('NetworkRuleConfig', part.find('rules'))];
}

function documents(
  kind: string,
  list: Part | undefined,
  encrypted: ReadonlySet<string> = new Set(),
): readonly unknown[] {
  list?.leave();
  return (list?.parts() ?? []).flatMap((item) => {
    const elsewhere = encrypted.has(plainText(item.find('name')) ?? '');
    const tree = elsewhere ? without(item.tree, ['encryption']) : item.tree;
    const value = carryWhole({ ...under([], item), tree }, unfinished);
    const empty = typeof value !== 'object' || value === null || Object.keys(value).every((key) => key === 'name');
    return empty ? [] : [{ apiVersion: 'v1alpha1', kind, ...value }];
  });
}

/** Encryption of the system's own partitions, when it is the same everywhere, is the cluster's. */
function putEncryption(nodes: readonly Node[], sketch: Sketch): ReadonlySet<string> {
  const encrypted = new Set<string>();
  for (const partition of ['state', 'ephemeral']) {
    const name = partition.toUpperCase();
    const found = nodes.map(({ setting }) =>
      setting('volumes')
        ?.parts()
        .find((volume) => plainText(volume.find('name')) === name)
        ?.find('encryption'),
    );
    const [first] = found;
    const same = shared(found.map((part) => (part ? toValue(part.tree) : null)));
    const key = same === undefined ? undefined : diskKey(first?.tree, partition);
    if (key === undefined || first === undefined) continue;
    sketch.put(['cluster', 'encryption', partition], key, first);
    if (key.passphrase) first.note(passphraseNote(partition, key.passphrase.env));
    encrypted.add(name);
  }
  return encrypted;
}

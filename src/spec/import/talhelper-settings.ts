import type { Part } from './foreign.ts';
import type { Sketch } from './sketch.ts';
import { putDocuments } from './talhelper-documents.ts';
import { putExtensionServices } from './talhelper-services.ts';
import { groupPlace, ofRole, shared, type Node } from './talhelper-node.ts';
import { plainEntries, plainText, plainTexts } from './talhelper-text.ts';

type Setting = { readonly value: unknown; readonly from: Part };

/** What a Platform has a field for, and then what becomes a patch. */
export function putSettings(nodes: readonly Node[], sketch: Sketch, networkDocuments: boolean): void {
  place(nodes, sketch, 'labels', ({ setting }) => entries(setting('nodeLabels')));
  place(nodes, sketch, 'annotations', ({ setting }) => entries(setting('nodeAnnotations')));
  place(nodes, sketch, 'taints', ({ setting }) => taints(setting('nodeTaints')));
  place(nodes, sketch, 'installDisk', installDisk);

  const nameservers = shared(nodes.map(({ setting }) => plainTexts(setting('nameservers'))));
  sketch.put(
    'cluster.network.nameservers',
    nameservers?.length === 0 ? undefined : nameservers,
    nodes[0]?.setting('nameservers'),
  );
  const services = putExtensionServices(nodes, sketch);
  putDocuments(nodes, sketch, { networkDocuments, ownNameservers: nameservers === undefined, ownServices: !services });
}

/** What all machines of a group have stands with the group, and else with each machine. */
function place(nodes: readonly Node[], sketch: Sketch, key: string, read: (node: Node) => Setting | undefined): void {
  for (const role of ['controlPlane', 'worker'] as const) {
    const settings = ofRole(nodes, role).map((node) => ({ node, setting: read(node) }));
    const same = shared(settings.map(({ setting }) => setting?.value ?? null));
    if (same !== undefined && same !== null) {
      sketch.put(`${groupPlace[role]}.${key}`, same, settings[0]?.setting?.from);
      continue;
    }
    for (const { node, setting } of settings)
      sketch.put(['cluster', 'nodes', node.machine, key], setting?.value, setting?.from);
  }
}

function entries(from: Part | undefined): Setting | undefined {
  const value = plainEntries(from);
  return from && Object.keys(value).length > 0 ? { value, from } : undefined;
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** key: "value:Effect", or only the effect. */
function taints(from: Part | undefined): Setting | undefined {
  const all = (from?.parts() ?? []).flatMap((taint) => {
    const text = plainText(taint);
    if (text === undefined) return [];
    const [, value = '', effect = ''] = /^(?:(.*):)?([^:]*)$/.exec(text) ?? [];
    if (effects.includes(effect)) return [`${taint.key}${value === '' ? '' : `=${value}`}:${effect}`];
    taint.note(`Not carried over: its effect is not one of ${effects.join(', ')}.`);
    return [];
  });
  return from && all.length > 0 ? { value: all, from } : undefined;
}

const selectable = ['size', 'model', 'serial', 'type', 'busPath', 'wwid'];

function installDisk({ part }: Node): Setting | undefined {
  const path = part.find('installDisk');
  const selector = part.find('installDiskSelector');
  const device = plainText(path);
  const found = (selector?.parts() ?? []).filter(({ key }) => selectable.includes(key));
  const value = Object.fromEntries(
    found.flatMap((field) => {
      const text = plainText(field);
      return text === undefined ? [] : [[field.key, text] as const];
    }),
  );
  // Talos lets the selector win.
  if (selector && Object.keys(value).length > 0) return { value: { selector: value }, from: selector };
  return path && device !== undefined ? { value: { path: device }, from: path } : undefined;
}

import type { Part } from './foreign.ts';
import type { Sketch } from './sketch.ts';
import { putDocuments } from './talhelper-documents.ts';
import { putExtensionServices } from './talhelper-services.ts';
import { groupPlace, ofRole, shared, type Node } from './talhelper-node.ts';
import { plainEntries, plainText, plainTexts } from './talhelper-text.ts';

type Setting = { readonly value: unknown; readonly from: Part };

/** What a Platform has a field for, of a group and of one machine. */
const fields: Readonly<Record<string, (node: Node) => Setting | undefined>> = {
  labels: ({ setting }) => entries(setting('nodeLabels')),
  annotations: ({ setting }) => entries(setting('nodeAnnotations')),
  taints: ({ setting }) => taints(setting('nodeTaints')),
  installDisk,
};

/** Settings of machines: fields where a Platform has them, and patches for the rest. */
export function putSettings(nodes: readonly Node[], sketch: Sketch, networkDocuments: boolean): void {
  putFields(ofRole(nodes, 'controlPlane'), groupPlace.controlPlane, sketch);
  putFields(ofRole(nodes, 'worker'), groupPlace.worker, sketch);
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
function putFields(group: readonly Node[], place: string, sketch: Sketch): void {
  for (const [key, read] of Object.entries(fields)) {
    const settings = group.map((node) => ({ node, setting: read(node) }));
    const same = shared(settings.map(({ setting }) => setting?.value ?? null));
    if (same !== undefined && same !== null) sketch.put(`${place}.${key}`, same, settings[0]?.setting?.from);
    else
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

import type { Machine, Role } from '../../model/machine.ts';
import type { Provenance } from '../patch/patch.ts';
import { clusterIntent } from './cluster-intent.ts';
import type { MachineConfig } from './document.ts';
import { kubernetesControlPlaneRows, kubernetesNodeRows } from './documents/kubernetes.ts';
import { hostnameRows, networkRows, resolverRows } from './documents/network.ts';
import { registryRows } from './documents/registries.ts';
import { discoveryRows, extensionRows, installRows, sysctlRows, volumeRows } from './documents/runtime.ts';
import type { NodeIntent } from './intent.ts';
import { nodeIntent, roleIntent } from './node-intent.ts';
import { nodeSettings, type ConfigRequest } from './request.ts';
import { writeDocuments, writeFields, type DocumentRow, type FieldRow } from './table.ts';
import { clusterRows } from './v1alpha1-cluster.ts';
import { machineRows } from './v1alpha1-machine.ts';

/** A configuration before anybody's patches, and why each part of it is as it is. */
export type RenderedConfig = { readonly config: MachineConfig; readonly because: Provenance };

/** Secrets are in all of them: never shown, and written for their owner only. */
export type RenderedConfigs = {
  /** What control planes share. */
  readonly controlPlane: RenderedConfig;
  /** What workers share. */
  readonly worker: RenderedConfig;
  /** By machine name. */
  readonly nodes: ReadonlyMap<string, RenderedConfig>;
};

export function renderConfigs(request: ConfigRequest): RenderedConfigs {
  const { ofRole, ofNode } = configRenderer(request);
  return {
    controlPlane: ofRole('control-plane'),
    worker: ofRole('worker'),
    nodes: new Map(request.platform.machines.map((machine) => [machine.name, ofNode(machine)])),
  };
}

export type ConfigRenderer = {
  readonly ofRole: (role: Role) => RenderedConfig;
  readonly ofNode: (machine: Machine) => RenderedConfig;
};

/** Configurations one by one; what machines share is found out once. */
export function configRenderer(request: ConfigRequest): ConfigRenderer {
  const cluster = clusterIntent(request);
  const settings = nodeSettings(request.platform);
  const shared = {
    'control-plane': roleIntent(request, cluster, 'control-plane'),
    worker: roleIntent(request, cluster, 'worker'),
  };
  return {
    ofRole: (role) => rendered(shared[role]),
    ofNode: (machine) => rendered(nodeIntent(request, shared[machine.role], machine, settings.get(machine.name))),
  };
}

const v1alpha1Rows: readonly FieldRow[] = [
  { path: 'version', because: 'the format', value: () => 'v1alpha1' },
  { path: 'debug', because: 'Talos’ default', value: () => false },
  { path: 'persist', because: 'Talos’ default', value: () => true },
  ...machineRows,
  ...clusterRows,
];

/** In the order in which talosctl writes them, those that only ichor writes among their like. */
const documentRows: readonly DocumentRow[] = [
  ...discoveryRows,
  ...installRows,
  ...resolverRows,
  ...sysctlRows,
  ...volumeRows,
  ...registryRows,
  ...hostnameRows,
  ...networkRows,
  ...extensionRows,
  ...kubernetesNodeRows,
  ...kubernetesControlPlaneRows,
];

function rendered(intent: NodeIntent): RenderedConfig {
  const main = writeFields(v1alpha1Rows, intent);
  const others = writeDocuments(documentRows, intent);
  return {
    config: [...main.documents, ...others.documents],
    because: new Map([...main.because, ...others.because]),
  };
}

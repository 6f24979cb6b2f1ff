import type { Contract } from '../src/talos/config/contract.ts';
import { renderConfigs, type RenderedConfig, type RenderedConfigs } from '../src/talos/config/render.ts';
import type { ConfigRequest } from '../src/talos/config/request.ts';
import { platformOf, requestFor } from './talos-configs.ts';

export const proxmox = {
  proxmox: { endpoint: 'https://pve1.example.org:8006', token: { env: 'TOKEN' }, hosts: ['pve1'] },
};
const releases: Readonly<Record<Contract, string>> = {
  '1.9': 'v1.9.5',
  '1.10': 'v1.10.9',
  '1.11': 'v1.11.6',
  '1.12': 'v1.12.11',
  '1.13': 'v1.13.9',
  '1.14': 'v1.14.1',
};

export type Settings = { readonly talos?: object; readonly [key: string]: unknown };

/** A small platform with these settings of the cluster: one control plane cp-0, one worker w-0. */
export function request(contract: Contract, settings: Settings, machines: object = proxmox): ConfigRequest {
  const { talos, ...cluster } = settings;
  const spec = {
    machines,
    cluster: {
      endpoint: { host: 'k8s.example.org' },
      workers: { w: {} },
      nodes: { 'cp-0': { mac: '02:00:00:00:00:01' }, 'w-0': { mac: '02:00:00:00:00:02' } },
      kubernetes: { version: 'v1.32.5' },
      ...cluster,
      talos: { version: releases[contract], ...talos },
    },
  };
  return requestFor(
    platformOf(JSON.stringify({ apiVersion: 'ichor.dev/v1alpha1', kind: 'Platform', metadata: { name: 'p' }, spec })),
  );
}

export const render = (contract: Contract, settings: Settings, machines?: object): RenderedConfigs =>
  renderConfigs(request(contract, settings, machines));

export const node = ({ nodes }: RenderedConfigs, name: string): RenderedConfig => {
  const found = nodes.get(name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
};
export const controlPlane = (contract: Contract, settings: Settings, machines?: object): RenderedConfig =>
  node(render(contract, settings, machines), 'p-cp-0');
export const worker = (contract: Contract, settings: Settings, machines?: object): RenderedConfig =>
  node(render(contract, settings, machines), 'p-w-0');

/** A part of the old document by its path, undefined where there is none. */
export const at = ({ config }: RenderedConfig, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config[0]);

/** All documents of a kind, without what they all begin with. */
export const documents = ({ config }: RenderedConfig, kind: string): readonly unknown[] =>
  config
    .filter((document) => document['kind'] === kind)
    .map(({ apiVersion: _version, kind: _kind, ...fields }) => fields);

const staticNetwork = { nodes: '10.10.0.0/24', gateway: '10.10.0.1', addresses: 'static' };
export const addressed = {
  nodes: { 'cp-0': { mac: '02:00:00:00:00:01', address: '10.10.0.11' }, 'w-0': { address: '10.10.0.21' } },
  network: staticNetwork,
};

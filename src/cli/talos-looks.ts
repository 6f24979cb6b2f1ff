import type { Command } from 'commander';
import type { Address, Disk, Link, ServiceState, TalosVersion } from '../clients/talos.ts';
import { question, type Question } from './talos-ask.ts';
import type { TalosDoor } from './talos-door.ts';
import { bytes, yes } from './views/talos-words.ts';

const version: Question<TalosVersion> = {
  name: 'version',
  description: 'say which Talos runs on the nodes',
  examples: ['ichor talos version', 'ichor talos version -n 10.10.0.11 --insecure'],
  insecure: true,
  ask: (node, signal) => node.version(signal),
  columns: [{ title: 'version' }, { title: 'architecture' }, { title: 'platform' }, { title: 'mode' }],
  rows: ({ tag, arch, platform, mode }) => [[tag, arch, platform, mode]],
  json: (found) => ({ version: found }),
};

const services: Question<readonly ServiceState[]> = {
  name: 'services',
  description: 'list the services of the nodes with their state and health',
  examples: ['ichor talos services -n 10.10.0.11', 'ichor talos services --output json'],
  ask: (node, signal) => node.services(signal),
  columns: [{ title: 'service' }, { title: 'state' }, { title: 'health' }, { title: 'last event' }],
  rows: (found) =>
    found.map(({ id, state, health, message, events }) => [
      id,
      state,
      health,
      message || (events.at(-1)?.message ?? ''),
    ]),
  json: (found) => ({ services: found }),
};

const disks: Question<readonly Disk[]> = {
  name: 'disks',
  description: 'list the disks of the nodes',
  examples: ['ichor talos disks -n 10.10.0.11', 'ichor talos disks -n 10.10.0.11 --insecure --output json'],
  insecure: true,
  ask: (node, signal) => node.disks(signal),
  columns: [
    { title: 'disk' },
    { title: 'size', align: 'right' },
    { title: 'model' },
    { title: 'serial' },
    { title: 'transport' },
    { title: 'rotational' },
    { title: 'system' },
  ],
  rows: (found) =>
    found.map(({ path, sizeBytes, model, serial, transport, rotational, system }) => [
      path,
      bytes(sizeBytes),
      model,
      serial,
      transport,
      yes(rotational),
      yes(system),
    ]),
  json: (found) => ({ disks: found.map((disk) => ({ ...disk, sizeBytes: Number(disk.sizeBytes) })) }),
};

const links: Question<readonly Link[]> = {
  name: 'links',
  description: 'list the network links of the nodes',
  examples: ['ichor talos links -n 10.10.0.11'],
  insecure: true,
  ask: (node, signal) => node.links(signal),
  columns: [
    { title: 'link' },
    { title: 'kind' },
    { title: 'mac' },
    { title: 'state' },
    { title: 'mtu', align: 'right' },
    { title: 'physical' },
  ],
  rows: (found) =>
    found.map(({ name, kind, mac, up, mtu, physical }) => [
      name,
      kind,
      mac,
      up ? 'up' : 'down',
      String(mtu),
      yes(physical),
    ]),
  json: (found) => ({ links: found }),
};

const addresses: Question<readonly Address[]> = {
  name: 'addresses',
  description: 'list the addresses of the nodes',
  examples: ['ichor talos addresses -n 10.10.0.11'],
  insecure: true,
  ask: (node, signal) => node.addresses(signal),
  columns: [{ title: 'address' }, { title: 'link' }, { title: 'scope' }],
  rows: (found) => found.map(({ address, link, scope }) => [address, link, scope]),
  json: (found) => ({ addresses: found }),
};

/** Commands that ask one question. */
export function talosLooks(talos: Command, door: TalosDoor): void {
  question(talos, door, version);
  question(talos, door, services);
  question(talos, door, disks);
  question(talos, door, links);
  question(talos, door, addresses);
}

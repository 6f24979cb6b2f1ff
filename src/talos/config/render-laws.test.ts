import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyContract, anyTalosFile } from '../../../test/arbitrary/talos-platforms.ts';
import { sweep } from '../../../test/sweep.ts';
import { namedBundle, platformOf, requestFor } from '../../../test/talos-configs.ts';
import { Problem } from '../../model/problem.ts';
import type { Platform } from '../../spec/platform.ts';
import { formatPath } from '../../spec/tree.ts';
import { ownerOf } from '../patch/provenance.ts';
import type { ConfigDocument, Fields, MachineConfig } from './document.ts';
import { documentPath } from './identity.ts';
import { renderConfigs, type RenderedConfigs } from './render.ts';
import { configText } from './text.ts';

const anyPlatform: fc.Arbitrary<Platform> = anyContract
  .chain(anyTalosFile)
  .map((file) => platformOf(JSON.stringify(file)));

/** Every law is asked about the same platforms, each read once. */
const samples = (() => {
  const { numRuns, seed } = sweep('platforms rendered', 40, 2000);
  return fc.sample(anyPlatform, { numRuns, seed }).map((platform) => {
    const request = requestFor(platform);
    return { platform, request, rendered: renderConfigs(request) };
  });
})();

type Sample = (typeof samples)[number];

const law = (name: string, holds: (sample: Sample) => void) => test(name, () => samples.forEach(holds));

const allOf = ({ controlPlane, worker, nodes }: RenderedConfigs) =>
  [controlPlane, worker, ...nodes.values()].map(({ config }) => config);
const workersOf = ({ platform, rendered }: Sample) => [
  rendered.worker.config,
  ...platform.machines.filter(({ role }) => role === 'worker').map(({ name }) => nodeOf(rendered, name)),
];

function nodeOf({ nodes }: RenderedConfigs, name: string): MachineConfig {
  const node = nodes.get(name);
  if (node === undefined) throw new Error(`There is no configuration of ${name}.`);
  return node.config;
}

const ofKind = (config: MachineConfig, kind: string): readonly ConfigDocument[] =>
  config.filter((document) => document['kind'] === kind);

describe('in every platform', () => {
  law('the same file gives the same configurations', ({ request, rendered }) => {
    expect(allOf(renderConfigs(request)).map(configText)).toEqual(allOf(rendered).map(configText));
  });

  law('a configuration does not depend on which other machines are rendered', ({ request, rendered }) => {
    const [machine] = request.platform.machines.slice(-1);
    const platform = { ...request.platform, machines: request.platform.machines.toReversed() };
    if (machine === undefined || request.platform.cluster.endpoint.vip === undefined) return;
    expect(nodeOf(renderConfigs({ ...request, platform }), machine.name).map(withoutControlPlaneOrder)).toEqual(
      nodeOf(rendered, machine.name).map(withoutControlPlaneOrder),
    );
  });

  law('a DHCP server that names machines is not contradicted', ({ platform, rendered }) => {
    if (platform.cluster.hostnames !== 'dhcp') return;
    for (const config of allOf(rendered)) {
      expect(path(config[0], 'machine', 'network', 'hostname')).toBeUndefined();
      const auto = platform.cluster.talos.version;
      const offAlone = ['v1.12.9', 'v1.13.9', 'v1.14.1'].includes(auto);
      expect(ofKind(config, 'HostnameConfig')).toEqual(
        offAlone ? [{ apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'off' }] : [],
      );
    }
  });

  law('a named machine has its name in one place', ({ platform, rendered }) => {
    if (platform.cluster.hostnames !== 'talos') return;
    for (const { name, hostname } of platform.machines) {
      const config = nodeOf(rendered, name);
      const places = [
        path(config[0], 'machine', 'network', 'hostname'),
        ...ofKind(config, 'HostnameConfig').map((document) => document['hostname']),
      ];
      expect(places.filter((place) => place !== undefined)).toEqual([hostname]);
    }
  });

  law('a worker holds no key that could sign anything', (sample) => {
    const { certs, secrets } = namedBundle;
    const forbidden = [certs.os, certs.k8s, certs.etcd, certs.k8saggregator, certs.k8sserviceaccount]
      .map(({ key }) => key)
      .concat(secrets.secretboxencryptionsecret ?? []);
    for (const config of workersOf(sample)) {
      const text = configText(config);
      for (const key of forbidden) {
        expect(text).not.toContain(key);
        expect(text).not.toContain(Buffer.from(key).toString('base64'));
      }
      expect(ofKind(config, 'Layer2VIPConfig')).toEqual([]);
    }
  });

  law('no name of a network card is guessed', ({ rendered }) => {
    for (const config of allOf(rendered)) expect(configText(config)).not.toMatch(/\b(eth0|ens18|enp\w+)\b/);
  });

  law('machines that ichor makes are known by their MAC address', ({ platform, request, rendered }) => {
    const { kind } = platform.provider;
    if (platform.cluster.endpoint.link !== undefined || (kind !== 'proxmox' && kind !== 'libvirt')) return;
    for (const { name } of platform.machines) {
      const mac = request.identities.get(name)?.mac.toLowerCase();
      for (const document of ofKind(nodeOf(rendered, name), 'LinkAliasConfig'))
        expect(document).toMatchObject({ selector: { match: `mac(link.permanent_addr) == "${mac}"` } });
    }
  });

  law('DHCP goes on wherever a link is spoken of and has no address', ({ rendered }) => {
    for (const config of allOf(rendered)) {
      const links = [...ofKind(config, 'LinkConfig'), ...ofKind(config, 'VLANConfig')];
      if (links.length === 0 || links.some((link) => link['addresses'] !== undefined)) continue;
      expect(ofKind(config, 'DHCPv4Config').map((document) => document['name'])).toEqual([links.at(-1)?.['name']]);
    }
  });

  law('a node differs from its role only in what is its own', ({ platform, rendered }) => {
    for (const { name, role } of platform.machines) {
      const shared = role === 'worker' ? rendered.worker : rendered.controlPlane;
      expect(nodeOf(rendered, name).filter(isShared).map(withoutOwn)).toEqual(
        shared.config.filter(isShared).map(withoutOwn),
      );
    }
  });

  law('every text that the file refers to is used, and none can be missing', ({ request, rendered }) => {
    const texts = allOf(rendered).map(configText).join('');
    for (const [key, text] of request.resolved) {
      expect(texts.includes(text) || texts.includes(Buffer.from(text).toString('base64'))).toBe(true);
      const without = new Map([...request.resolved].filter(([each]) => each !== key));
      expect(() => renderConfigs({ ...request, resolved: without })).toThrow(Problem);
    }
  });

  law('every field has a reason, and every reason a field', ({ rendered }) => {
    for (const { config, because } of [rendered.controlPlane, rendered.worker, ...rendered.nodes.values()]) {
      const owned = config.flatMap(leaves).map((leaf) => ownerOf(because, leaf));
      expect(owned.filter((owner) => owner === undefined)).toEqual([]);
      const used = new Set(
        config.flatMap(leaves).flatMap((leaf) => leaf.map((_, end) => formatPath(leaf.slice(0, end + 1)))),
      );
      expect([...because.keys()].filter((reason) => !used.has(reason))).toEqual([]);
    }
  });
});

const path = (document: ConfigDocument | undefined, ...keys: readonly string[]): unknown =>
  keys.reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], document);

/** Documents that only one machine has, and the parts of others that are its own. */
const own = {
  kinds: ['HostnameConfig', 'LinkAliasConfig', 'LinkConfig', 'VLANConfig', 'DHCPv4Config', 'UserVolumeConfig'],
  machine: ['network', 'disks', 'install', 'nodeLabels', 'nodeAnnotations', 'nodeTaints'],
  fields: {
    KubeNodeConfig: ['labels', 'annotations', 'taints'],
    UnattendedInstallConfig: ['installer', 'provisioning'],
  },
} as const;

const isShared = (document: ConfigDocument): boolean => !own.kinds.some((kind) => kind === document['kind']);

function withoutOwn(document: ConfigDocument): Fields {
  const kind = document['kind'];
  const fields: readonly string[] =
    kind === 'KubeNodeConfig' || kind === 'UnattendedInstallConfig' ? own.fields[kind] : [];
  const machine = document['machine'] as Fields | undefined;
  if (machine === undefined) return without(document, fields);
  const kubelet = without(machine['kubelet'] as Fields | undefined, ['extraMounts']);
  return { ...document, machine: { ...without(machine, own.machine), kubelet } };
}

const without = (fields: Fields | undefined, keys: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([key]) => !keys.includes(key)));

/** Which control planes etcd is open to stands in the order of the file. */
const withoutControlPlaneOrder = (document: ConfigDocument): ConfigDocument =>
  document['name'] === 'etcd'
    ? { ...document, ingress: (document['ingress'] as Fields[]).toSorted(bySubnet) }
    : document;
const bySubnet = (one: Fields, other: Fields): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

type Path = readonly (string | number)[];

/** Paths as reasons name them, down to what has nothing below it. */
function leaves(document: ConfigDocument): readonly Path[] {
  const { apiVersion: _version, kind, ...fields } = document;
  return typeof kind === 'string' ? below(documentPath(document), fields) : below([], document);
}

const below = (prefix: Path, fields: Fields): readonly Path[] =>
  Object.entries(fields).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? below([...prefix, key], value as Fields)
      : [[...prefix, key]],
  );

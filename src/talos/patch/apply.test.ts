import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { someConfig, somePatchPair } from '../../../test/arbitrary/talos-patches.ts';
import { diceOf } from '../../../test/dice.ts';
import { sweep } from '../../../test/sweep.ts';
import { Problem, Problems } from '../../model/problem.ts';
import { yamlText } from '../../spec/yaml-text.ts';
import type { Contract } from '../config/contract.ts';
import type { MachineConfig } from '../config/document.ts';
import { readConfig } from '../config/read.ts';
import { applyPatches } from './apply.ts';
import type { Patch } from './patch.ts';

const patchOf = (text: string, source = 'platform.yaml: cluster.patches[0]'): Patch => ({
  scope: { kind: 'all' },
  source,
  text,
});

const patched = (config: string, patch: string, contract: Contract = '1.13'): unknown =>
  applyPatches({ config: readConfig(config, 'config.yaml', contract), provenance: new Map(), contract }, [
    patchOf(patch),
  ]).config;

const plain = (text: string): unknown => parseAllDocuments(text).map((document) => document.toJS() as unknown);

const hostname = 'apiVersion: v1alpha1\nkind: HostnameConfig\n';
const volume = 'apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\n';
const rule = 'apiVersion: v1alpha1\nkind: NetworkRuleConfig\nname: r\nportSelector: { protocol: tcp, ports: [80] }\n';

describe('strategic merge', () => {
  test.each([
    ['a scalar', 'machine: { type: worker }', 'machine: { type: controlplane }', 'machine: { type: controlplane }'],
    ['nothing does not override', 'machine: { token: a }', 'machine: { token: "" }', 'machine: { token: a }'],
    ['false does', 'debug: true', 'debug: false', 'debug: false'],
    [
      'a number that cannot be absent',
      'machine: { features: { kubePrism: { port: 7445 } } }',
      'machine: { features: { kubePrism: { port: 0 } } }',
      'machine: { features: { kubePrism: { port: 7445 } } }',
    ],
    ['null says nothing', 'machine: { token: a }', 'machine: { token: null }', 'machine: { token: a }'],
    [
      'text without quotes',
      'machine: { sysctls: {} }',
      'machine: { sysctls: { a: 0644, b: true, c: 1.10 } }',
      'machine: { sysctls: { a: "0644", b: "true", c: "1.10" } }',
    ],
    [
      'an octal number',
      'machine: {}',
      'machine: { files: [{ permissions: 0644 }] }',
      'machine: { files: [{ permissions: 420 }] }',
    ],
    [
      'mappings',
      'machine: { nodeLabels: { a: b } }',
      'machine: { nodeLabels: { c: d } }',
      'machine: { nodeLabels: { a: b, c: d } }',
    ],
    [
      'lists are appended to',
      'machine: { certSANs: [a] }',
      'machine: { certSANs: [b, a] }',
      'machine: { certSANs: [a, b, a] }',
    ],
    [
      'subnets replace',
      'cluster: { network: { podSubnets: [a] } }',
      'cluster: { network: { podSubnets: [b] } }',
      'cluster: { network: { podSubnets: [b] } }',
    ],
    [
      'an audit policy replaces',
      'cluster: { apiServer: { auditPolicy: { a: 1 } } }',
      'cluster: { apiServer: { auditPolicy: { b: 2 } } }',
      'cluster: { apiServer: { auditPolicy: { b: 2 } } }',
    ],
    [
      'rules of the firewall replace',
      `${rule}ingress: [{ subnet: 10.0.0.0/8 }]`,
      `${rule}ingress: [{ subnet: 10.1.0.0/16 }]`,
      `${rule}ingress: [{ subnet: 10.1.0.0/16 }]`,
    ],
    [
      'interfaces by name',
      'machine: { network: { interfaces: [{ interface: eth0, mtu: 1500 }] } }',
      'machine: { network: { interfaces: [{ interface: eth0, dhcp: true }, { interface: eth1 }] } }',
      'machine: { network: { interfaces: [{ interface: eth0, mtu: 1500, dhcp: true }, { interface: eth1 }] } }',
    ],
    [
      'interfaces by selector',
      'machine: { network: { interfaces: [{ deviceSelector: { driver: e } }] } }',
      'machine: { network: { interfaces: [{ deviceSelector: { driver: e }, mtu: 9000 }] } }',
      'machine: { network: { interfaces: [{ deviceSelector: { driver: e }, mtu: 9000 }] } }',
    ],
    [
      'selectors with `physical` never meet',
      'machine: { network: { interfaces: [{ deviceSelector: { physical: true } }] } }',
      'machine: { network: { interfaces: [{ deviceSelector: { physical: true } }] } }',
      'machine: { network: { interfaces: [{ deviceSelector: { physical: true } }, { deviceSelector: { physical: true } }] } }',
    ],
    [
      'arguments replace each',
      'machine: { kubelet: { extraArgs: { a: [x, y], b: z } } }',
      'machine: { kubelet: { extraArgs: { a: w } } }',
      'machine: { kubelet: { extraArgs: { a: w, b: z } } }',
    ],
    [
      'half of a CA clears the other',
      'machine: { ca: { crt: YQ==, key: Yg== } }',
      'machine: { ca: { crt: Yw== } }',
      'machine: { ca: { crt: Yw== } }',
    ],
    [
      'a document that is there',
      `${hostname}auto: stable`,
      `${hostname}auto: off\nhostname: a`,
      `${hostname}auto: off\nhostname: a`,
    ],
    [
      'a document that is not',
      'machine: { type: worker }',
      `${hostname}auto: off`,
      `machine: { type: worker }\n---\n${hostname}auto: off`,
    ],
    [
      'a volume loses its least size and disk',
      `${volume}provisioning: { diskSelector: { match: system_disk }, minSize: 1GiB, grow: true }`,
      `${volume}mount: { secure: true }`,
      `${volume}provisioning: { diskSelector: {}, grow: true }\nmount: { secure: true }`,
    ],
    [
      'what is not known is merged too',
      'machine: { kubelet: { extraConfig: { a: { b: [1] }, c: 0 } } }',
      'machine: { kubelet: { extraConfig: { a: { b: [2] } } } }',
      'machine: { kubelet: { extraConfig: { a: { b: [1, 2] }, c: 0 } } }',
    ],
    [
      'parts of an endpoint',
      'cluster: { controlPlane: { endpoint: "https://a:6443/path" } }',
      'cluster: { controlPlane: { endpoint: "https://b:443" } }',
      'cluster: { controlPlane: { endpoint: "https://b:443/path" } }',
    ],
  ])('%s', (_, config, patch, result) => {
    expect(patched(config, patch)).toEqual(plain(result));
  });

  test.each([
    [
      'a key',
      'machine: { certSANs: [a], type: worker }',
      'machine: { certSANs: { $patch: delete } }',
      'machine: { type: worker }',
    ],
    [
      'a key of a mapping',
      'machine: { sysctls: { a: b, c: d } }',
      'machine: { sysctls: { a: { $patch: delete } } }',
      'machine: { sysctls: { c: d } }',
    ],
    [
      'an item of a list',
      'machine: { files: [{ path: /a, content: x }, { path: /b }] }',
      'machine: { files: [{ path: /a, $patch: delete }] }',
      'machine: { files: [{ path: /b }] }',
    ],
    ['a document', `machine: {}\n---\n${hostname}auto: off`, `${hostname}$patch: delete`, 'machine: {}'],
    [
      'a document, to write it anew',
      `machine: {}\n---\n${hostname}auto: stable`,
      `${hostname}$patch: delete\n---\n${hostname}hostname: a`,
      `machine: {}\n---\n${hostname}hostname: a`,
    ],
    [
      'a key, before the rest of the patch is merged',
      'machine: { certSANs: [a] }',
      'machine: { certSANs: { $patch: delete } }\n---\nmachine: { certSANs: [b] }',
      'machine: { certSANs: [b] }',
    ],
  ])('$patch: delete takes away %s', (_, config, patch, result) => {
    expect(patched(config, patch)).toEqual(plain(result));
  });
});

describe('JSON patches', () => {
  test.each([
    ['add', '[{ op: add, path: /machine/certSANs/-, value: b }]', 'machine: { type: worker, certSANs: [a, b] }'],
    ['add before', '[{ op: add, path: /machine/certSANs/0, value: b }]', 'machine: { type: worker, certSANs: [b, a] }'],
    ['remove', '[{ op: remove, path: /machine/certSANs/-1 }]', 'machine: { type: worker, certSANs: [] }'],
    [
      'replace',
      '[{ op: replace, path: /machine/type, value: controlplane }]',
      'machine: { type: controlplane, certSANs: [a] }',
    ],
    ['move', '[{ op: move, from: /machine/type, path: /machine/token }]', 'machine: { token: worker, certSANs: [a] }'],
    [
      'copy',
      '[{ op: copy, from: /machine/type, path: /machine/token }]',
      'machine: { type: worker, token: worker, certSANs: [a] }',
    ],
    ['test', '[{ op: test, path: /machine/type, value: worker }]', 'machine: { type: worker, certSANs: [a] }'],
    [
      '~1 and ~0',
      '[{ op: add, path: /machine/sysctls, value: {} }, { op: add, path: /machine/sysctls/a~1b~0c, value: x }]',
      'machine: { type: worker, certSANs: [a], sysctls: { a/b~c: x } }',
    ],
  ])('%s', (_, patch, result) => {
    expect(patched('machine: { type: worker, certSANs: [a] }', patch)).toEqual(plain(result));
  });
});

const refusal = (config: string, patch: string, contract: Contract = '1.13'): readonly string[] => {
  try {
    patched(config, patch, contract);
  } catch (error) {
    const problems = error instanceof Problems ? error.problems : error instanceof Problem ? [error] : [];
    return problems.map(({ code, message, at, remedy }) => `${at?.line}:${at?.column} ${code}: ${message} | ${remedy}`);
  }
  return ['accepted'];
};

describe('a patch is refused', () => {
  const source = 'platform.yaml: cluster.patches[0]';
  test.each([
    [
      'an unknown key',
      'machine:\n  kublet: {}',
      `2:3 unknown-key: ${source}: There is no "kublet" in machine. | Did you mean "kubelet"?`,
    ],
    [
      'an unknown kind',
      'apiVersion: v1alpha1\nkind: HostnamConfig',
      `2:7 unknown-kind: ${source}: Talos 1.13 has no kind "HostnamConfig". | Did you mean "HostnameConfig"?`,
    ],
    [
      'a wrong type',
      'machine:\n  certSANs: a',
      `2:13 wrong-type: ${source}: machine.certSANs must be a list. | Write a list.`,
    ],
    [
      'a value that is none',
      `${hostname}auto: sometimes`,
      `3:7 wrong-type: ${source}: HostnameConfig.auto must be one of off, talos-addr, stable. | Write one of off, talos-addr, stable.`,
    ],
    [
      'two documents alike',
      `${hostname}auto: off\n---\n${hostname}auto: off`,
      `5:1 duplicate-document: ${source}: There are two documents for HostnameConfig. | Put their fields into one document.`,
    ],
    [
      'nothing to delete',
      'machine:\n  sysctls:\n    a:\n      $patch: delete',
      `4:7 nothing-to-delete: ${source}: machine.sysctls.a is to be deleted, and it is not there. | Take this part out of the patch.`,
    ],
    [
      'a document that is not there',
      `${hostname}$patch: delete`,
      `3:1 nothing-to-delete: ${source}: HostnameConfig is to be deleted, and it is not there. | Take this part out of the patch.`,
    ],
    [
      'a key in an item',
      'machine:\n  files:\n    - path: { $patch: delete }',
      `3:15 wrong-delete: ${source}: machine.files[0].path is inside of an item of a list, and Talos deletes only whole items. | Delete the item, and add it again as it should be.`,
    ],
    [
      'the whole v1alpha1 document',
      '$patch: delete',
      `1:1 wrong-delete: ${source}: What a patch deletes needs both apiVersion and kind, or neither for fields of machine and cluster. | Give apiVersion and kind of the document; the v1alpha1 document itself cannot be deleted.`,
    ],
    [
      'nothing',
      'kind: HostnameConfig',
      `1:1 empty-patch: ${source}: This patch says nothing. | Write fields of the configuration, or take the patch out.`,
    ],
    [
      'a key twice',
      'machine:\n  type: a\n  type: b',
      `3:3 duplicate-key: ${source}: The key "type" is already given on line 2. | Keep one of the two.`,
    ],
    [
      'an operation that fails',
      '[{ op: remove, path: /machine/time }]',
      `1:2 json-patch: ${source}: Operation 1 cannot be applied: there is nothing at /machine/time. | Correct the operation, or take it out.`,
    ],
    [
      'an operation that makes something wrong',
      '[{ op: add, path: /machine/kublet, value: {} }]',
      `1:2 unknown-key: ${source}: There is no "kublet" in machine. | Did you mean "kubelet"?`,
    ],
    [
      'two values of other types',
      'machine:\n  kubelet:\n    extraConfig:\n      a: text',
      `4:10 not-mergeable: ${source}: machine.kubelet.extraConfig.a: Talos does not replace a whole number by text here. | Delete the old value in a patch before this one ($patch: delete), and set the new one here.`,
    ],
  ])('%s', (_, patch, words) => {
    expect(refusal('machine: { type: worker, kubelet: { extraConfig: { a: 1 } } }', patch)).toEqual([words]);
  });

  test('a JSON patch for several documents', () => {
    expect(refusal(`machine: {}\n---\n${hostname}auto: off`, '[{ op: remove, path: /machine }]')).toEqual([
      `1:2 json-patch: ${source}: A JSON patch works on one document, and this configuration has 2. | Write it as the configuration that it should make: Talos merges that.`,
    ]);
  });

  test('two documents of one link', () => {
    const link = (kind: string): string => `apiVersion: v1alpha1\nkind: ${kind}\nname: eth0\n`;
    expect(refusal(link('LinkConfig'), link('DummyLinkConfig'))).toEqual([
      `1:1 rival-documents: ${source}: "eth0" cannot be a LinkConfig and a DummyLinkConfig at once. | Keep one of the two documents; a patch can delete the other one with $patch: delete.`,
    ]);
  });

  test('what an older Talos does not know', () => {
    expect(refusal('machine: {}', 'machine:\n  install:\n    grubUseUKICmdline: true', '1.11')).toEqual([
      `3:5 unknown-key: ${source}: There is no "grubUseUKICmdline" in machine.install. | Known are: disk, diskSelector, extraKernelArgs, image, extensions, bootloader, wipe, legacyBIOSSupport.`,
    ]);
  });

  test('at its place in the file, where that is known', () => {
    const at = { file: 'platform.yaml', line: 12, column: 5, length: 6 };
    const asked: unknown[] = [];
    const patch = { ...patchOf(`${hostname}autoo: off`), placeOf: (path: unknown) => (asked.push(path), at) };
    const apply = (): unknown =>
      applyPatches({ config: [{ machine: {} }], provenance: new Map(), contract: '1.13' }, [patch]);
    expect(apply).toThrow(Problems);
    expect(asked).toEqual([['autoo']]);
  });

  test('without repeating a value', () => {
    const said = refusal(
      'machine: {}',
      'machine:\n  token: [very-secret]\n  ca: { crt: "very secret!", key: very-secret }',
    );
    expect(said.filter((words) => words.includes('secret'))).toEqual([]);
    expect(said.length).toBe(3);
  });
});

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
};

test('neither the configuration nor its provenance is changed, and every value has an owner afterwards', () => {
  const { numRuns, seed } = sweep('patched configurations', 80, 3000);
  const contract = '1.13';
  let accepted = 0;
  for (let run = 0; run < numRuns; run++) {
    const pair = somePatchPair(diceOf(seed + run), contract);
    const config: MachineConfig = frozen(pair.config);
    try {
      const result = applyPatches(
        { config, provenance: new Map(), contract },
        pair.patches.map((text, index) => patchOf(text, `patch ${index}`)),
      );
      accepted++;
      for (const owner of result.provenance.values()) expect(owner).toMatch(/^patch \d$/);
      expect(readConfig(yamlText(result.config), 'again', contract).length).toBe(result.config.length);
    } catch (error) {
      if (!(error instanceof Problems || error instanceof Problem)) throw error;
    }
  }
  expect(accepted).toBeGreaterThan(numRuns / 4);
});

test('a document of every kind is added and found again, in every contract', () => {
  for (const contract of ['1.9', '1.12', '1.14'] as const) {
    const config = someConfig(diceOf(5), contract);
    const text = yamlText(config);
    expect(readConfig(text, 'config.yaml', contract).length).toBe(config.length);
  }
});

import { describe, expect, test } from 'vitest';
import { controlPlaneConfig, newControlPlaneConfig } from '../../../../test/twin-configs.ts';
import { checkConfig } from './check.ts';
import type { CheckedFor } from './verdict.ts';

const node: CheckedFor = { version: 'v1.13.9', mode: 'metal', installed: false, disks: ['/dev/sda'] };
const container: CheckedFor = { ...node, mode: 'container', disks: [] };

function said(text: string, given: CheckedFor = node): string | readonly string[] {
  const verdict = checkConfig(text, given);
  return verdict.kind === 'refused' ? verdict.message : verdict.warnings;
}

const document = (kind: string, rest = ''): string => `apiVersion: v1alpha1\nkind: ${kind}\n${rest}`;
const noHostDns = [
  'feature HostDNS should be enabled in container mode (.machine.features.hostDNS.enabled)',
  'feature HostDNS should forward kube-dns to host in container mode (.machine.features.hostDNS.forwardKubeDNSToHost)',
];
const listed = (...errors: readonly string[]): string =>
  `1 error occurred:\n\t* v1alpha1.Config: ${errors.length} error${errors.length === 1 ? '' : 's'} occurred:\n${errors.map((error) => `\t* ${error}\n`).join('')}\n\n\n`;

describe('words of real nodes', () => {
  test.each<[string, string, string]>([
    ['nothing', '', 'config not found'],
    ['only comments', '# a\n#b\n', 'config not found'],
    [
      'no YAML',
      'not: [valid',
      "decode error: yaml: while parsing a flow sequence at <unknown position>: line 1: did not find expected ',' or ']'",
    ],
    ['a text', 'just a string\n', 'expected a YAML document at line 1'],
    [
      'an unknown kind',
      document('NopeConfig'),
      'error decoding document v1alpha1/NopeConfig/ (line 1): "NopeConfig" "v1alpha1": not registered',
    ],
    [
      'an unknown key',
      document('HostnameConfig', 'nopefield: 1\n'),
      'error decoding document v1alpha1/HostnameConfig/ (line 1): unknown keys found during decoding:\nnopefield: 1\n',
    ],
    [
      'two names at once',
      document('HostnameConfig', 'auto: stable\nhostname: x\n'),
      "1 error occurred:\n\t* HostnameConfig: 'auto' and 'hostname' cannot be set at the same time\n\n",
    ],
    [
      'an unknown key inside',
      'version: v1alpha1\nmachine:\n  type: worker\n  nope: 1\ncluster: {}\n',
      'error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:\nmachine:\n    nope: 1\n',
    ],
    [
      'no cluster',
      'version: v1alpha1\nmachine:\n  type: worker\n',
      listed(
        'cluster instructions are required',
        ...noHostDns,
        'issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)',
      ),
    ],
    ['a version alone', 'version: v1alpha1\n', 'error decoding document /v1alpha1/ (line 1): missing kind'],
    [
      'a type that is none',
      controlPlaneConfig.replace('type: controlplane', 'type: banana'),
      listed(
        'etcd config is only allowed on control plane machines',
        'cluster CA key is not allowed on non-controlplane nodes (.cluster.ca)',
        'unknown machine type "banana"',
      ),
    ],
    [
      'a document twice',
      `${controlPlaneConfig}---\n${document('HostnameConfig', 'hostname: x\n')}`,
      'duplicate document v1alpha1/HostnameConfig/ is not allowed (line 70)',
    ],
  ])('%s', (_, text, words) => {
    expect(said(text, container)).toBe(words);
  });
});

test('a sound configuration is accepted, and its documents are handed on', () => {
  const verdict = checkConfig(controlPlaneConfig, node);
  expect(verdict).toMatchObject({ kind: 'accepted', warnings: [], complete: true });
  expect(checkConfig(document('StaticHostConfig', 'name: 10.9.9.9\nhostnames: [zz]\n'), node)).toEqual({
    kind: 'accepted',
    warnings: [],
    complete: false,
    documents: [{ apiVersion: 'v1alpha1', kind: 'StaticHostConfig', name: '10.9.9.9', hostnames: ['zz'] }],
  });
});

describe('versions', () => {
  test.each<[string, string, string, string | readonly string[]]>([
    ['v1.11.6', 'HostnameConfig', 'hostname: a\n', '"HostnameConfig" "v1alpha1": not registered'],
    [
      'v1.12.4',
      'KubeSpanConfig',
      'enabled: true\n',
      'error decoding document v1alpha1/KubeSpanConfig/ (line 1): "KubeSpanConfig" "v1alpha1": not registered',
    ],
    [
      'v1.12.4',
      'HostnameConfig',
      'auto: "off"\n',
      "1 error occurred:\n\t* HostnameConfig: either 'auto' or 'hostname' must be set\n\n",
    ],
    ['v1.12.9', 'HostnameConfig', 'auto: "off"\n', []],
    [
      'v1.13.2',
      'HostnameConfig',
      'auto: off\n',
      "1 error occurred:\n\t* HostnameConfig: either 'auto' or 'hostname' must be set\n\n",
    ],
    ['v1.13.9', 'HostnameConfig', 'auto: off\n', []],
    [
      'v1.14.1',
      'SysctlConfig',
      'params: {}\nnope: 1\n',
      'error decoding document v1alpha1/SysctlConfig/ (line 1): unknown keys found during decoding:\nnope: 1\n',
    ],
  ])('%s: %s', (version, kind, rest, words) => {
    expect(said(document(kind, rest), { ...node, version })).toEqual(words);
  });

  test('what 1.14 has as documents is refused before, and whole there', () => {
    expect(said(newControlPlaneConfig, { ...node, version: 'v1.14.1' })).toEqual([]);
    expect(said(newControlPlaneConfig)).toBe(
      'error decoding document v1alpha1/KubeClusterConfig/ (line 17): "KubeClusterConfig" "v1alpha1": not registered',
    );
  });
});

describe('on the node', () => {
  const selecting = (selector: string): string =>
    controlPlaneConfig.replace('disk: /dev/sda', `diskSelector: ${selector}`);

  test.each<[string, string, CheckedFor, string | readonly string[]]>([
    [
      'no disk for the selector',
      selecting('{ type: nvme }'),
      node,
      listed(
        'no disks matched the expression: disk.transport != "" && disk.transport == "nvme" && !disk.readonly && !disk.cdrom',
      ),
    ],
    [
      'a disk for the selector',
      selecting('{ size: ">= 20GB", model: "QEMU*" }'),
      {
        ...node,
        diskFacts: [{ path: '/dev/sda', sizeBytes: 20_000_000_000n, model: 'QEMU HARDDISK', transport: 'virtio' }],
      },
      [],
    ],
    [
      'a selector that is none',
      selecting('{ type: floppy }'),
      node,
      listed(
        'install disk selector is invalid: unsupported disk type "floppy"',
        'either install disk or diskSelector should be defined',
      ),
    ],
    ['installed already', selecting('{ type: nvme }'), { ...node, installed: true }, []],
    [
      'a Kubernetes that is too old',
      controlPlaneConfig.replace('kubelet:v1.36.1', 'kubelet:v1.30.2'),
      node,
      listed('kubelet image is not valid: version of Kubernetes 1.30.2 is too old to be used with Talos 1.13.9'),
    ],
    [
      'types that do not fit',
      'version: v1alpha1\nmachine:\n  type: [a]\n  network: { interfaces: [{ mtu: x }] }\n',
      node,
      'error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:\n  line 3: cannot construct !!seq into string\n  line 4: cannot construct !!str `x` into int',
    ],
  ])('%s', (_, text, given, words) => {
    expect(said(text, given)).toEqual(words);
  });
});

test('keys of a machine are in no refusal', () => {
  const broken = controlPlaneConfig.replace('type: controlplane', 'type: worker');
  expect(said(broken)).not.toContain(Buffer.from('talos key').toString('base64'));
});

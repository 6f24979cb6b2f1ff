import { describe, expect, test } from 'vitest';
import { at, controlPlane, documents, worker, type Settings } from '../../../test/talos-small.ts';

describe('features', () => {
  test.each<[string, Settings, unknown, readonly unknown[]]>([
    ['KubePrism', {}, { enabled: true, port: 7445 }, [{ port: 7445 }]],
    ['KubePrism elsewhere', { kubePrism: { port: 7000 } }, { enabled: true, port: 7000 }, [{ port: 7000 }]],
    ['no KubePrism', { kubePrism: { enabled: false }, cni: { flannel: {} } }, { enabled: false }, []],
  ])('%s', (_, settings, old, young) => {
    expect(at(worker('1.9', settings), 'machine.features.kubePrism')).toEqual(old);
    expect(documents(worker('1.14', settings), 'KubePrismConfig')).toEqual(young);
  });

  test.each<[string, object, unknown, unknown]>([
    ['host DNS', {}, { enabled: true, forwardKubeDNSToHost: true }, { enabled: true, forwardKubeDNSToHost: true }],
    [
      'host DNS for the host alone',
      { forwardKubeDNSToHost: false },
      { enabled: true, forwardKubeDNSToHost: false },
      { enabled: true },
    ],
    [
      'no host DNS',
      { enabled: false, forwardKubeDNSToHost: false },
      { enabled: false, forwardKubeDNSToHost: false },
      { enabled: false },
    ],
  ])('%s', (_, hostDNS, old, young) => {
    expect(at(worker('1.9', { hostDNS }), 'machine.features.hostDNS')).toEqual(old);
    expect(documents(worker('1.14', { hostDNS }), 'ResolverConfig')).toEqual([{ hostDNS: young }]);
  });

  test.each<[string, object, unknown, readonly unknown[]]>([
    ['discovery', {}, discovery(true, {}), [{ name: 'default', endpoint: 'https://discovery.talos.dev/' }]],
    [
      'discovery by an own service',
      { service: 'https://d.example.org/' },
      discovery(true, { endpoint: 'https://d.example.org/' }),
      [{ name: 'default', endpoint: 'https://d.example.org/' }],
    ],
    ['no discovery', { enabled: false }, discovery(false, {}), []],
  ])('%s', (_, settings, old, young) => {
    expect(at(worker('1.13', { discovery: settings }), 'cluster.discovery')).toEqual(old);
    expect(documents(worker('1.14', { discovery: settings }), 'DiscoveryServiceConfig')).toEqual(young);
  });

  test('KubeSpan', () => {
    const settings = { kubeSpan: { enabled: true, mtu: 1380 } };
    const kubespan = { enabled: true, mtu: 1380 };
    for (const contract of ['1.9', '1.10', '1.11', '1.12'] as const)
      expect(at(worker(contract, settings), 'machine.network.kubespan')).toEqual(kubespan);
    for (const contract of ['1.13', '1.14'] as const)
      expect(documents(worker(contract, settings), 'KubeSpanConfig')).toEqual([kubespan]);
  });

  test('registries', () => {
    const settings = {
      registries: {
        mirrors: {
          'docker.io': { endpoints: ['https://m.example.org'], skipFallback: true },
          '*': { endpoints: ['http://a', 'http://b'] },
        },
        credentials: { 'm.example.org': { username: 'u', password: { env: 'P' }, ca: './ca.pem' } },
      },
    };
    expect(at(worker('1.11', settings), 'machine.registries')).toEqual({
      mirrors: {
        '*': { endpoints: ['http://a', 'http://b'] },
        'docker.io': { endpoints: ['https://m.example.org'], skipFallback: true },
      },
      config: {
        'm.example.org': {
          tls: { ca: Buffer.from('certs.os.crt').toString('base64') },
          auth: { username: 'u', password: 'text of env:P' },
        },
      },
    });
    for (const contract of ['1.12', '1.13', '1.14'] as const) {
      const young = worker(contract, settings);
      expect(
        ['RegistryAuthConfig', 'RegistryMirrorConfig', 'RegistryTLSConfig'].map((kind) => documents(young, kind)),
      ).toEqual([
        [{ name: 'm.example.org', username: 'u', password: 'text of env:P' }],
        [
          { name: '*', endpoints: [{ url: 'http://a' }, { url: 'http://b' }] },
          { name: 'docker.io', endpoints: [{ url: 'https://m.example.org' }], skipFallback: true },
        ],
        [{ name: 'm.example.org', ca: 'certs.os.crt' }],
      ]);
    }
  });

  test('extension services, with what is secret among the rest', () => {
    const extensionServices = {
      tailscale: {
        environment: { TS_ROUTES: '10.0.0.0/8' },
        secrets: { TS_AUTHKEY: { env: 'KEY' } },
        files: { '/etc/x': 'y' },
      },
    };
    for (const contract of ['1.9', '1.14'] as const)
      expect(documents(worker(contract, { extensionServices }), 'ExtensionServiceConfig')).toEqual([
        {
          name: 'tailscale',
          configFiles: [{ content: 'y', mountPath: '/etc/x' }],
          environment: ['TS_AUTHKEY=text of env:KEY', 'TS_ROUTES=10.0.0.0/8'],
        },
      ]);
  });

  test('manifests and kernel parameters', () => {
    const settings = {
      manifests: { inline: { b: 'B\n', a: 'A\n' }, urls: ['https://example.org/c.yaml'] },
      sysctls: { z: '1', a: '2' },
    };
    const old = controlPlane('1.13', settings);
    expect([at(old, 'cluster.inlineManifests'), at(old, 'cluster.extraManifests'), at(old, 'machine.sysctls')]).toEqual(
      [
        [
          { name: 'a', contents: 'A\n' },
          { name: 'b', contents: 'B\n' },
        ],
        ['https://example.org/c.yaml'],
        { a: '2', z: '1' },
      ],
    );
    const young = controlPlane('1.14', settings);
    expect(
      ['KubeInlineManifestConfig', 'KubeExternalManifestConfig', 'SysctlConfig'].map((kind) => documents(young, kind)),
    ).toEqual([
      [
        { name: 'a', manifest: 'A\n' },
        { name: 'b', manifest: 'B\n' },
      ],
      [{ name: 'manifest-0', url: 'https://example.org/c.yaml' }],
      [{ params: { a: '2', z: '1' } }],
    ]);
    expect(at(worker('1.13', settings), 'cluster.inlineManifests')).toBeUndefined();
  });
});

function discovery(enabled: boolean, service: object): object {
  return { enabled, registries: { kubernetes: { disabled: true }, service } };
}

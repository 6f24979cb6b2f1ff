import { describe, expect, test } from 'vitest';
import { addressed, request, at, controlPlane, documents, render, type Settings } from '../../../test/talos-small.ts';
import type { Contract } from './contract.ts';
import { renderConfigs } from './render.ts';

describe('where the Kubernetes API is reached', () => {
  test.each<[string, Settings, string]>([
    ['a VIP', { endpoint: { vip: '10.10.0.5' } }, 'https://10.10.0.5:6443'],
    ['a VIP in IPv6', { endpoint: { vip: 'fd00::5', port: 443 } }, 'https://[fd00::5]:443'],
    ['a load balancer', { endpoint: { host: 'lb.example.org', port: 443 } }, 'https://lb.example.org:443'],
    ['the first control plane', { endpoint: {}, ...addressed }, 'https://10.10.0.11:6443'],
  ])('%s', (_, settings, url) => {
    const old = render('1.13', settings);
    const young = render('1.14', settings);
    expect([old.controlPlane, old.worker].map((each) => at(each, 'cluster.controlPlane.endpoint'))).toEqual([url, url]);
    expect(documents(young.worker, 'KubeClusterConfig')).toEqual([{ clusterName: 'p', endpoint: url }]);
  });

  test('nobody knows it, and a person is asked', () => {
    expect(() => render('1.13', { endpoint: {} })).toThrow(
      expect.objectContaining({ code: 'endpoint-unknown', path: 'cluster.endpoint', recovery: 'ask' }),
    );
  });

  test('a load balancer that only the caller knows', () => {
    const rendered = renderConfigs({ ...request('1.13', { endpoint: {} }), endpointHost: '192.0.2.1' });
    expect(at(rendered.worker, 'cluster.controlPlane.endpoint')).toBe('https://192.0.2.1:6443');
  });

  test.each<[string, Settings, number | undefined]>([
    ['the usual port', { endpoint: { vip: '10.10.0.5' } }, undefined],
    ['a VIP on another port: the API server listens there', { endpoint: { vip: '10.10.0.5', port: 443 } }, 443],
    ['a load balancer on another port: the API server does not', { endpoint: { host: 'lb', port: 443 } }, undefined],
  ])('%s', (_, settings, port) => {
    expect(at(controlPlane('1.13', settings), 'cluster.controlPlane.localAPIServerPort')).toBe(port);
    expect(documents(controlPlane('1.14', settings), 'KubeAPIServerConfig')).toEqual([
      { image: 'registry.k8s.io/kube-apiserver:v1.32.5', ...(port === undefined ? {} : { apiPort: port }) },
    ]);
  });

  test.each<[Contract, unknown]>([
    ['1.9', ['k8s.example.org', '192.0.2.7']],
    ['1.11', ['k8s.example.org', '192.0.2.7']],
    ['1.12', ['192.0.2.7']],
    ['1.13', ['192.0.2.7']],
  ])('names in the certificate of the API server of %s', (contract, names) => {
    const rendered = controlPlane(contract, { certSANs: ['192.0.2.7'] });
    expect(at(rendered, 'cluster.apiServer.certSANs')).toEqual(names);
    expect(at(rendered, 'machine.certSANs')).toEqual(['192.0.2.7']);
  });
});

import { expect, test } from 'vitest';
import { api } from '../../../wire/proxmox/api.ts';
import { apiOf } from '../schema/version.ts';
import { createRouter } from './router.ts';

const find = createRouter(api);

test.each<[string, string, Record<string, string>]>([
  ['GET /', 'GET /', {}],
  ['GET /version/', 'GET /version', {}],
  ['GET //nodes', 'GET /nodes', {}],
  ['GET /nodes/h1/qemu/7/config', 'GET /nodes/{node}/qemu/{vmid}/config', { node: 'h1', vmid: '7' }],
  [
    'DELETE /nodes/h1/storage/tank/content/tank:iso/a.iso',
    'DELETE /nodes/{node}/storage/{storage}/content/{volume}',
    { node: 'h1', storage: 'tank', volume: 'tank:iso/a.iso' },
  ],
  [
    'PUT /cluster/firewall/ipset/some/10.0.0.0/8',
    'PUT /cluster/firewall/ipset/{name}/{cidr}',
    { name: 'some', cidr: '10.0.0.0/8' },
  ],
])('%s is found', (call, key, path) => {
  const [method = '', target = ''] = call.split(' ');
  expect(find(method, target)).toMatchObject({ key, path });
});

test.each(['GET /nowhere', 'POST /version', 'GET /nodes/h1/qemu/7/status/start', 'GET /nodes/h1/qemu/7/config/more'])(
  '%s is nowhere',
  (call) => {
    const [method = '', target = ''] = call.split(' ');
    expect(find(method, target)).toBeUndefined();
  },
);

test('what came with 9 is not in 8', () => {
  const earlier = createRouter(apiOf(8));
  const [rules, monitor, agent, create] = [
    earlier('POST', '/cluster/ha/rules'),
    earlier('POST', '/nodes/h/qemu/100/monitor'),
    earlier('POST', '/nodes/h/qemu/100/agent/ping'),
    earlier('POST', '/nodes/h/qemu'),
  ];
  expect({
    rules,
    monitor: monitor?.endpoint.permission,
    agent: agent?.endpoint.permission,
    managed: create?.endpoint.params?.['ha-managed'],
    name: create?.endpoint.params?.['name']?.format,
  }).toEqual({
    rules: undefined,
    monitor: { kind: 'at', path: '/vms/{vmid}', privileges: ['VM.Monitor'], any: false },
    agent: { kind: 'at', path: '/vms/{vmid}', privileges: ['VM.Monitor'], any: true },
    managed: undefined,
    name: 'dns-name',
  });
});

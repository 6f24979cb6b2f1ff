import { expect } from 'vitest';
import { connect } from 'node:net';
import type { JsonObject } from '@bufbuild/protobuf';
import { answers, type Case } from '../case.ts';

const stage = 'configured';
const at = 'worker';

const ofControlPlanes: readonly (readonly [string, string, JsonObject])[] = [
  ['Bootstrap', 'bootstrap', {}],
  ['EtcdMemberList', 'member list', {}],
  ['EtcdStatus', 'etcd status', {}],
  ['EtcdAlarmList', 'etcd alarm list', {}],
  ['EtcdAlarmDisarm', 'etcd alarm disarm', {}],
  ['EtcdDefragment', 'etcd defragment', {}],
  ['EtcdLeaveCluster', 'etcd leave', {}],
  ['EtcdForfeitLeadership', 'etcd forfeit leadership', {}],
  ['EtcdSnapshot', 'etcd snapshot', {}],
  ['EtcdRemoveMemberByID', 'etcd remove member', { memberId: '1' }],
  ['EtcdRecover', 'etcd recover', {}],
  ['EtcdDowngradeValidate', 'etcd downgrade validate', { version: '3.5' }],
  ['Kubeconfig', 'kubeconfig', {}],
  ['GenerateClientConfiguration', 'generate client configuration', { roles: ['os:reader'], crtTtl: '60s' }],
  ['ClusterService/HealthCheck', 'cluster health check', {}],
];

const forwarding = (
  name: string,
  metadata: (own: string, other: string, hostname: string) => Record<string, string | string[]>,
  allowed: boolean,
): Case => ({
  stage,
  name: `worker: ${name}`,
  run: async ({ call, target }) => {
    const { worker, controlPlane } = target;
    const headers = metadata(worker.address, controlPlane.address, worker.name);
    const { code, message, messages } = await call(at, 'Hostname', {}, { metadata: headers });
    expect({ code, message, messages }).toEqual(
      allowed
        ? { code: 'OK', message: '', messages: [{ messages: [{ hostname: worker.name }] }] }
        : { code: 'PERMISSION_DENIED', message: 'no request forwarding', messages: [] },
    );
  },
});

export const workerCases: readonly Case[] = [
  ...ofControlPlanes.map(([method, words, request]) =>
    answers(
      `worker: ${method} is for control planes`,
      { stage, at, method, request },
      { code: 'UNIMPLEMENTED', message: `${words} is only available on control plane nodes`, messages: [] },
    ),
  ),
  forwarding('a call to itself by node is its own', (own) => ({ node: own }), true),
  forwarding('a call to itself by nodes is its own, without an envelope', (own) => ({ nodes: own }), true),
  forwarding('a call to itself by name is its own', (_own, _other, hostname) => ({ node: hostname }), true),
  forwarding('nothing is forwarded by node', (_own, other) => ({ node: other }), false),
  forwarding('nothing is forwarded by nodes', (own, other) => ({ nodes: [own, other] }), false),
  forwarding('not even to loopback', () => ({ node: '127.0.0.1' }), false),
  {
    stage,
    name: 'worker: it has no etcd and no trustd',
    run: async ({ call }) => {
      const { messages } = await call(at, 'ServiceList');
      const [{ messages: lists }] = messages as [{ messages: [{ services: { id: string }[] }] }];
      expect(lists[0].services.map(({ id }) => id)).toEqual(['apid', 'containerd', 'cri', 'kubelet', 'machined']);
    },
  },
  {
    stage,
    name: 'worker: trustd does not listen there',
    run: async ({ target }) => {
      const error = await new Promise<string | undefined>((resolve) => {
        const socket = connect({ host: target.worker.address, port: 50_001 });
        socket.once('connect', () => (socket.destroy(), resolve(undefined)));
        socket.once('error', (cause: NodeJS.ErrnoException) => resolve(cause.code));
      });
      expect(error).toBe('ECONNREFUSED');
    },
  },
  {
    stage,
    name: 'worker: it knows what it is',
    run: async ({ call }) => {
      const request = { namespace: 'config', type: 'MachineTypes.config.talos.dev', id: 'machine-type' };
      const { messages } = await call(at, 'State/Get', request);
      expect((messages[0] as { resource: { spec: { yamlSpec: string } } }).resource.spec.yamlSpec).toBe('worker\n');
    },
  },
];

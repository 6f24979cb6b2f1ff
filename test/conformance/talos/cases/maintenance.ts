import { expect } from 'vitest';
import { answers, type Case, notAuthorized } from '../case.ts';
import type { JsonObject } from '@bufbuild/protobuf';

const stage = 'maintenance';
const at = 'maintenance';

/** Only an administrator may; nobody is one without a configuration. */
const refused: readonly (readonly [string, JsonObject])[] = [
  ['Read', { path: '/etc/os-release' }],
  ['Copy', { rootPath: '/etc/os-release' }],
  ['Bootstrap', {}],
  ['Kubeconfig', {}],
  ['Reboot', {}],
  ['Shutdown', {}],
  ['Reset', { graceful: false, reboot: true }],
  ['Upgrade', { image: 'x/y:v1' }],
  ['Rollback', {}],
  ['MetaWrite', { key: 10, value: 'YQ==' }],
  ['MetaDelete', { key: 10 }],
  ['EtcdSnapshot', {}],
  ['EtcdRecover', {}],
  ['EtcdLeaveCluster', {}],
  ['EtcdForfeitLeadership', {}],
  ['EtcdRemoveMemberByID', { memberId: '1' }],
  ['EtcdDefragment', {}],
  ['EtcdAlarmDisarm', {}],
  ['GenerateClientConfiguration', { roles: ['os:admin'], crtTtl: '3600s' }],
  ['ServiceStart', { id: 'apid' }],
  ['ServiceStop', { id: 'apid' }],
  ['ServiceRestart', { id: 'apid' }],
  ['ImagePull', { namespace: 'NS_SYSTEM', reference: 'x' }],
  ['ImageService/Pull', { containerd: { driver: 'CONTAINERD', namespace: 'NS_SYSTEM' }, imageRef: 'x' }],
  ['ImageService/Remove', {}],
  ['LifecycleService/Install', {}],
  ['LifecycleService/Upgrade', {}],
  ['State/Create', { resource: { metadata: { namespace: 'runtime', type: 'Versions.runtime.talos.dev', id: 'x' } } }],
  ['State/Update', {}],
  ['State/Destroy', { namespace: 'runtime', type: 'Versions.runtime.talos.dev', id: 'version' }],
];

const ofControlPlanes: readonly (readonly [string, string])[] = [
  ['EtcdMemberList', 'member list'],
  ['EtcdStatus', 'etcd status'],
  ['EtcdAlarmList', 'etcd alarm list'],
  ['ClusterService/HealthCheck', 'cluster health check'],
];

const open: readonly (readonly [string, JsonObject])[] = [
  ['Memory', {}],
  ['LoadAvg', {}],
  ['Mounts', {}],
  ['Processes', {}],
  ['SystemStat', {}],
  ['InspectService/ControllerRuntimeDependencies', {}],
];

const containerOnly = {
  version: { tag: 'v1.13.9', os: 'linux', arch: 'amd64' },
  platform: { name: 'container', mode: 'container' },
};

export const maintenanceCases: readonly Case[] = [
  ...refused.map(([method, request]) =>
    answers(`maintenance: ${method} is refused to nobody`, { stage, at, method, request }, notAuthorized),
  ),
  ...refused
    .slice(0, 5)
    .map(([method, request]) =>
      answers(
        `maintenance: a certificate of an administrator gives no right to ${method}`,
        { stage, at, method, request, options: { as: 'admin' } },
        notAuthorized,
      ),
    ),
  ...ofControlPlanes.map(([method, words]) =>
    answers(
      `maintenance: ${method} is for control planes`,
      { stage, at, method },
      { code: 'UNIMPLEMENTED', message: `${words} is only available on control plane nodes`, messages: [] },
    ),
  ),
  ...open.map(([method, request]) =>
    answers(`maintenance: ${method} answers anybody`, { stage, at, method, request }, { code: 'OK' }),
  ),
  {
    stage,
    name: 'maintenance: Version names the release, and no features without a configuration',
    run: async ({ call }) => {
      const { code, messages } = await call(at, 'Version');
      expect({ code, messages }).toMatchObject({ code: 'OK', messages: [{ messages: [containerOnly] }] });
      expect(JSON.stringify(messages)).not.toMatch(/features|metadata/);
    },
  },
  {
    stage,
    name: 'maintenance: Hostname is the name that the network gave',
    run: async ({ call, target }) => {
      const { messages } = await call(at, 'Hostname');
      expect(messages).toEqual([{ messages: [{ hostname: target.maintenance.name }] }]);
    },
  },
  answers(
    'maintenance: routing metadata is ignored, node',
    { stage, at, method: 'Version', options: { metadata: { node: '192.0.2.1' } } },
    { code: 'OK' },
  ),
  {
    stage,
    name: 'maintenance: routing metadata is ignored, nodes, and no envelope is put around the answer',
    run: async ({ call }) => {
      const { code, messages } = await call(at, 'Hostname', {}, { metadata: { nodes: ['192.0.2.1', '192.0.2.2'] } });
      expect(code).toBe('OK');
      expect(JSON.stringify(messages)).not.toContain('metadata');
    },
  },
  answers(
    'maintenance: nobody may take a role by metadata',
    { stage, at, method: 'Reboot', options: { metadata: { 'talos-role': 'os:admin' } } },
    notAuthorized,
  ),
  answers(
    'maintenance: a list of images of CRI waits for a CRI',
    {
      stage,
      at,
      method: 'ImageService/List',
      request: { containerd: { driver: 'CRI', namespace: 'NS_CRI' } },
    },
    { code: 'NO_ANSWER', messages: [] },
  ),
  answers(
    'maintenance: the old list of images waits for a CRI',
    { stage, at, method: 'ImageList', request: { namespace: 'NS_SYSTEM' } },
    { code: 'NO_ANSWER', messages: [] },
  ),
  answers(
    'maintenance: images of the containerd in memory are listed',
    {
      stage,
      at,
      method: 'ImageService/List',
      request: { containerd: { driver: 'CONTAINERD', namespace: 'NS_SYSTEM' } },
    },
    { code: 'OK' },
  ),
  answers(
    'maintenance: a bad image reference is not verified',
    { stage, at, method: 'ImageService/Verify', request: { imageRef: 'x' } },
    { code: 'INVALID_ARGUMENT', message: 'image reference is invalid: could not parse reference: x', messages: [] },
  ),
  answers(
    'maintenance: wiping a device that is not there',
    { stage, at, method: 'StorageService/BlockDeviceWipe', request: { devices: [{ device: 'sdzz' }] } },
    { code: 'NOT_FOUND', message: 'blockdevice "sdzz" not found', messages: [] },
  ),
  answers(
    'maintenance: wiping nothing',
    { stage, at, method: 'StorageService/BlockDeviceWipe' },
    { code: 'OK', messages: [{ messages: [{}] }] },
  ),
  answers(
    'maintenance: trustd is not served by apid',
    { stage, at, method: 'SecurityService/Certificate' },
    { code: 'UNIMPLEMENTED', message: 'unknown service securityapi.SecurityService', messages: [] },
  ),
  {
    stage,
    name: 'maintenance: the services are apid, containerd and machined, all healthy',
    run: async ({ call }) => {
      const { messages } = await call(at, 'ServiceList');
      const [{ messages: lists }] = messages as [{ messages: [{ services: Listed[] }] }];
      expect(lists[0].services.map(({ id, state, health }) => ({ id, state, healthy: health.healthy }))).toEqual(
        ['apid', 'containerd', 'machined'].map((id) => ({ id, state: 'Running', healthy: true })),
      );
    },
  },
];

type Listed = { readonly id: string; readonly state: string; readonly health: { readonly healthy?: boolean } };

import { expect } from 'vitest';
import type { JsonObject } from '@bufbuild/protobuf';
import { answers, type Case } from '../case.ts';
import type { Role } from '../world.ts';

/** Letters of the roles that may: Admin, Operator, Reader, etcd Backup, Meta writer, image Verifier. Requests that do no harm. */
const rights: readonly (readonly [string, string, JsonObject])[] = [
  ['Version', 'AOR', {}],
  ['Hostname', 'AOR', {}],
  ['ServiceList', 'AOR', {}],
  ['LogsContainers', 'AOR', {}],
  ['Memory', 'AOR', {}],
  ['LoadAvg', 'AOR', {}],
  ['Mounts', 'AOR', {}],
  ['List', 'AOR', { root: '/nope' }],
  ['Logs', 'AOR', { namespace: 'system', id: 'nope' }],
  ['StorageService/Disks', 'AOR', {}],
  ['InspectService/ControllerRuntimeDependencies', 'AOR', {}],
  ['ImageService/List', 'AOR', {}],
  ['ImageService/Verify', 'AORV', { imageRef: 'x' }],
  ['State/Get', 'AOR', { namespace: 'runtime', type: 'Versions.runtime.talos.dev', id: 'version' }],
  ['State/List', 'AOR', { namespace: 'runtime', type: 'Versions.runtime.talos.dev' }],
  ['EtcdMemberList', 'AORB', {}],
  ['EtcdStatus', 'AORB', {}],
  ['EtcdAlarmList', 'AORB', {}],
  ['EtcdSnapshot', 'AOB', {}],
  ['EtcdDefragment', 'AO', {}],
  ['EtcdAlarmDisarm', 'AO', {}],
  ['Reboot', 'AO', {}],
  ['Shutdown', 'AO', {}],
  ['ServiceStart', 'AO', { id: 'nope' }],
  ['ServiceStop', 'AO', { id: 'nope' }],
  ['ServiceRestart', 'AO', { id: 'nope' }],
  ['ImagePull', 'AO', {}],
  ['ImageService/Pull', 'AO', {}],
  ['MetaWrite', 'AM', { key: 10 }],
  ['MetaDelete', 'AM', { key: 10 }],
  ['Rollback', 'A', {}],
  ['Kubeconfig', 'A', {}],
  ['Read', 'A', { path: '/nope' }],
  ['Copy', 'A', { rootPath: '/nope' }],
  ['GenerateClientConfiguration', 'A', {}],
  ['Reset', 'A', { mode: 'USER_DISKS', systemPartitionsToWipe: [{ label: 'STATE' }] }],
  ['Upgrade', 'A', {}],
  ['ApplyConfiguration', 'A', { mode: 'AUTO', dryRun: true }],
  ['Bootstrap', 'A', {}],
  ['EtcdRecover', 'A', {}],
  ['EtcdDowngradeValidate', 'A', { version: '3.1' }],
  ['EtcdRemoveMemberByID', 'A', {}],
  ['ImageService/Remove', 'A', {}],
  ['LifecycleService/Install', 'A', {}],
  ['LifecycleService/Upgrade', 'A', {}],
  ['StorageService/BlockDeviceWipe', 'A', {}],
  ['State/Create', 'A', {}],
  ['State/Destroy', 'A', {}],
];

const letters: Readonly<Record<Exclude<Role, 'impersonator'>, string>> = {
  admin: 'A',
  operator: 'O',
  reader: 'R',
  backup: 'B',
  meta: 'M',
  verifier: 'V',
  none: '-',
  unknown: '-',
};

/** What writes is refused to administrators by another rule, with other words. */
const isAllowed = (code: string, message: string): boolean =>
  code !== 'PERMISSION_DENIED' || message === 'write access is not allowed';

export const roleCases: readonly Case[] = [
  ...(Object.entries(letters) as [Role, string][]).flatMap(([role, letter]) =>
    rights.map(([method, may, request]): Case => {
      const allowed = may.includes(letter);
      return {
        stage: 'bootstrapped',
        name: `roles: ${role} ${allowed ? 'may' : 'may not'} ${method}`,
        run: async ({ call }) => {
          const { code, message } = await call('controlPlane', method, request, { as: role });
          if (allowed) expect({ allowed: isAllowed(code, message), code, message }).toMatchObject({ allowed: true });
          else expect({ code, message }).toEqual({ code: 'PERMISSION_DENIED', message: 'not authorized' });
        },
      };
    }),
  ),
  answers(
    'roles: an impersonator without a role has none',
    { stage: 'configured', at: 'controlPlane', method: 'Version', options: { as: 'impersonator' } },
    { code: 'PERMISSION_DENIED', message: 'not authorized', messages: [] },
  ),
  answers(
    'roles: an impersonator has the role it names',
    {
      stage: 'configured',
      at: 'controlPlane',
      method: 'Version',
      options: { as: 'impersonator', metadata: { 'talos-role': 'os:reader' } },
    },
    { code: 'OK' },
  ),
  answers(
    'roles: an impersonator has no more than the role it names',
    {
      stage: 'configured',
      at: 'controlPlane',
      method: 'Read',
      request: { path: '/etc/os-release' },
      options: { as: 'impersonator', metadata: { 'talos-role': 'os:reader' } },
    },
    { code: 'PERMISSION_DENIED', message: 'not authorized', messages: [] },
  ),
  answers(
    'roles: an impersonator may name several',
    {
      stage: 'configured',
      at: 'controlPlane',
      method: 'Read',
      request: { path: '/nope' },
      options: { as: 'impersonator', metadata: { 'talos-role': ['os:reader', 'os:admin'] } },
    },
    { code: 'NOT_FOUND', message: 'stat /nope: no such file or directory', messages: [] },
  ),
  answers(
    'roles: nobody else gets a role by naming it',
    {
      stage: 'configured',
      at: 'controlPlane',
      method: 'Read',
      request: { path: '/nope' },
      options: { as: 'reader', metadata: { 'talos-role': 'os:admin' } },
    },
    { code: 'PERMISSION_DENIED', message: 'not authorized', messages: [] },
  ),
];

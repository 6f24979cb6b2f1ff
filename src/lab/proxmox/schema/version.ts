import { api } from '../../../wire/proxmox/api.ts';
import { isAlias } from '../../../wire/proxmox/notation.ts';
import type { Api, Check, Endpoint, Param, Params, Parts, Permission } from '../../../wire/proxmox/notation.ts';

/** What Proxmox VE 8 does not have yet. */
const laterCalls = /^\S+ \/cluster\/ha\/(rules|status\/(arm|disarm)-ha)|\/capabilities\/qemu\/cpu-flags$/;
const laterParams = new Set([
  'ha-managed',
  'intel-tdx',
  'allow-ksm',
  'with-conntrack-state',
  'nets-host-mtu',
  'regenerate',
  'failback',
]);
const laterParts = new Set(['host-tunnel', 'ms-cert', 'freeze-fs', 'aw-bits']);

/** Privileges over the guest agent are one privilege in 8. */
const earlier = (privilege: string): string => (privilege.startsWith('VM.GuestAgent.') ? 'VM.Monitor' : privilege);

/** The calls of the Proxmox VE that is played. */
export const apiOf = (major: 8 | 9): Api =>
  major === 9
    ? api
    : Object.fromEntries(
        Object.entries(api)
          .filter(([key]) => !laterCalls.test(key))
          .map(([key, endpoint]) => [key, asInEight(key, endpoint)]),
      );

function asInEight(key: string, endpoint: Endpoint): Endpoint {
  const permission = key.endsWith('/monitor')
    ? ({ kind: 'at', path: '/vms/{vmid}', privileges: ['VM.Monitor'], any: false } as const)
    : permissionInEight(endpoint.permission);
  return { ...endpoint, permission, params: paramsInEight(endpoint.params ?? {}) };
}

function permissionInEight(permission: Permission): Permission {
  return typeof permission === 'string' ? permission : checkInEight(permission);
}

function checkInEight(check: Check): Check {
  if (check.kind === 'at') return { ...check, privileges: [...new Set(check.privileges.map((each) => earlier(each)))] };
  return 'checks' in check ? { ...check, checks: check.checks.map((each) => checkInEight(each)) } : check;
}

const paramsInEight = (params: Params): Params =>
  Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => !laterParams.has(name))
      .map(([name, param]) => [name, paramInEight(param)]),
  );

const paramInEight = (param: Param): Param =>
  param.parts === undefined ? param : { ...param, parts: partsInEight(param.parts) };

const partsInEight = (parts: Parts): Parts =>
  Object.fromEntries(
    Object.entries(parts).filter(
      ([name, part]) => !laterParts.has(name) && !(isAlias(part) && laterParts.has(part.alias)),
    ),
  );

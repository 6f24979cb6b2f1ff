import { at, either, flag, integer, needed, oneOf, text } from './notation.ts';
import type { Api } from './notation.ts';
import { notNegative, vmid } from './values.ts';

/** Hosts and their tasks. */
export const nodes: Api = {
  'GET /nodes': { permission: 'all' },
  'GET /nodes/{node}/capabilities/qemu': { permission: 'all', proxied: true },
  'GET /nodes/{node}/capabilities/qemu/cpu': { permission: 'all', params: { arch: oneOf(['x86_64', 'aarch64']) } },
  'GET /nodes/{node}/capabilities/qemu/cpu-flags': {
    permission: 'all',
    params: { accel: oneOf(['kvm', 'tcg']), arch: oneOf(['x86_64', 'aarch64']) },
  },
  'GET /nodes/{node}/capabilities/qemu/machines': {
    permission: 'all',
    params: { arch: oneOf(['x86_64', 'aarch64']) },
    proxied: true,
  },
  'GET /nodes/{node}/capabilities/qemu/migration': { permission: at('/nodes/{node}', 'Sys.Audit'), proxied: true },
  'GET /nodes/{node}/certificates/info': { permission: 'all', proxied: true },
  'GET /nodes/{node}/query-url-metadata': {
    permission: either(at('/', 'Sys.Audit', 'Sys.Modify'), at('/nodes/{node}', 'Sys.AccessNetwork')),
    params: { url: needed(text({ pattern: /https?:\/\/.*/ })), 'verify-certificates': flag() },
    proxied: true,
  },
  'GET /nodes/{node}/rrddata': {
    permission: at('/nodes/{node}', 'Sys.Audit'),
    params: {
      cf: oneOf(['AVERAGE', 'MAX']),
      timeframe: needed(oneOf(['hour', 'day', 'week', 'month', 'year', 'decade'])),
    },
    protected: true,
  },
  'GET /nodes/{node}/status': { permission: at('/nodes/{node}', 'Sys.Audit'), proxied: true },
  'POST /nodes/{node}/status': {
    permission: at('/nodes/{node}', 'Sys.PowerMgmt'),
    params: { command: needed(oneOf(['reboot', 'shutdown'])) },
    protected: true,
    proxied: true,
  },
  'GET /nodes/{node}/tasks': {
    permission: 'all',
    params: {
      errors: flag(),
      limit: notNegative,
      since: integer(),
      source: oneOf(['archive', 'active', 'all']),
      start: notNegative,
      statusfilter: text({ format: 'pve-task-status-type-list' }),
      typefilter: text(),
      until: integer(),
      userfilter: text(),
      vmid,
    },
    proxied: true,
  },
  'GET /nodes/{node}/tasks/{upid}': { permission: 'all' },
  'DELETE /nodes/{node}/tasks/{upid}': { permission: 'all', protected: true, proxied: true },
  'GET /nodes/{node}/tasks/{upid}/log': {
    permission: 'all',
    params: { download: flag(), limit: notNegative, start: notNegative },
    protected: true,
    proxied: true,
  },
  'GET /nodes/{node}/tasks/{upid}/status': { permission: 'all', protected: true, proxied: true },
  'GET /nodes/{node}/version': { permission: 'all', proxied: true },
};

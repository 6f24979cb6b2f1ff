import { at, flag, needed, oneOf, text } from './notation.ts';
import type { Api } from './notation.ts';
import { comment, digest, longKeys, node, notNegative, sid } from './values.ts';

/** What is kept running, and where. */
export const highAvailability: Api = {
  'GET /cluster/ha': { permission: at('/', 'Sys.Audit') },
  'GET /cluster/ha/groups': { permission: at('/', 'Sys.Audit') },
  'POST /cluster/ha/groups': {
    permission: at('/', 'Sys.Console'),
    params: {
      comment,
      group: needed(text({ format: 'pve-configid' })),
      nodes: needed(text({ format: 'pve-ha-node-list' })),
      nofailback: flag(),
      restricted: flag(),
      type: oneOf(['group']),
    },
    protected: true,
  },
  'GET /cluster/ha/groups/{group}': {
    permission: at('/', 'Sys.Audit'),
    params: { group: needed(text({ format: 'pve-configid' })) },
  },
  'PUT /cluster/ha/groups/{group}': {
    permission: at('/', 'Sys.Console'),
    params: {
      comment,
      delete: longKeys,
      digest,
      group: needed(text({ format: 'pve-configid' })),
      nodes: text({ format: 'pve-ha-node-list' }),
      nofailback: flag(),
      restricted: flag(),
    },
    protected: true,
  },
  'DELETE /cluster/ha/groups/{group}': {
    permission: at('/', 'Sys.Console'),
    params: { group: needed(text({ format: 'pve-configid' })) },
    protected: true,
  },
  'GET /cluster/ha/resources': { permission: at('/', 'Sys.Audit'), params: { type: oneOf(['ct', 'vm']) } },
  'POST /cluster/ha/resources': {
    permission: at('/', 'Sys.Console'),
    params: {
      comment,
      failback: flag(),
      group: text({ format: 'pve-configid' }),
      max_relocate: notNegative,
      max_restart: notNegative,
      sid: needed(sid),
      state: oneOf(['started', 'stopped', 'enabled', 'disabled', 'ignored']),
      type: oneOf(['ct', 'vm']),
    },
    protected: true,
  },
  'GET /cluster/ha/resources/{sid}': { permission: at('/', 'Sys.Audit') },
  'PUT /cluster/ha/resources/{sid}': {
    permission: at('/', 'Sys.Console'),
    params: {
      comment,
      delete: longKeys,
      digest,
      failback: flag(),
      group: text({ format: 'pve-configid' }),
      max_relocate: notNegative,
      max_restart: notNegative,
      state: oneOf(['started', 'stopped', 'enabled', 'disabled', 'ignored']),
    },
    protected: true,
  },
  'DELETE /cluster/ha/resources/{sid}': {
    permission: at('/', 'Sys.Console'),
    params: { purge: flag() },
    protected: true,
  },
  'POST /cluster/ha/resources/{sid}/migrate': {
    permission: at('/', 'Sys.Console'),
    params: { node: needed(node) },
    protected: true,
  },
  'POST /cluster/ha/resources/{sid}/relocate': {
    permission: at('/', 'Sys.Console'),
    params: { node: needed(node) },
    protected: true,
  },
  'GET /cluster/ha/rules': {
    permission: at('/', 'Sys.Audit'),
    params: { resource: text(), type: oneOf(['node-affinity', 'resource-affinity']) },
  },
  'POST /cluster/ha/rules': {
    permission: at('/', 'Sys.Console'),
    params: {
      affinity: needed(oneOf(['positive', 'negative'], { when: ['resource-affinity'] })),
      comment: text({ maxLength: 4096, when: ['node-affinity', 'resource-affinity'] }),
      disable: flag({ when: ['node-affinity', 'resource-affinity'] }),
      nodes: needed(text({ format: 'pve-ha-node-list', when: ['node-affinity'] })),
      resources: needed(text({ format: 'pve-ha-resource-id-list', when: ['node-affinity', 'resource-affinity'] })),
      rule: needed(text({ format: 'pve-configid' })),
      strict: flag({ when: ['node-affinity'] }),
      type: needed(oneOf(['node-affinity', 'resource-affinity'])),
    },
    protected: true,
    extra: true,
  },
  'GET /cluster/ha/rules/{rule}': { permission: at('/', 'Sys.Audit') },
  'PUT /cluster/ha/rules/{rule}': {
    permission: at('/', 'Sys.Console'),
    params: {
      affinity: oneOf(['positive', 'negative'], { when: ['resource-affinity'] }),
      comment: text({ maxLength: 4096, when: ['node-affinity', 'resource-affinity'] }),
      delete: longKeys,
      digest,
      disable: flag({ when: ['node-affinity', 'resource-affinity'] }),
      nodes: text({ format: 'pve-ha-node-list', when: ['node-affinity'] }),
      resources: text({ format: 'pve-ha-resource-id-list', when: ['node-affinity', 'resource-affinity'] }),
      strict: flag({ when: ['node-affinity'] }),
      type: needed(oneOf(['node-affinity', 'resource-affinity'])),
    },
    protected: true,
    extra: true,
  },
  'DELETE /cluster/ha/rules/{rule}': { permission: at('/', 'Sys.Console'), protected: true },
  'GET /cluster/ha/status': { permission: 'all' },
  'POST /cluster/ha/status/arm-ha': { permission: at('/', 'Sys.Console'), protected: true },
  'GET /cluster/ha/status/current': { permission: at('/', 'Sys.Audit') },
  'POST /cluster/ha/status/disarm-ha': {
    permission: at('/', 'Sys.Console'),
    params: { 'resource-mode': needed(oneOf(['freeze', 'ignore'])) },
    protected: true,
  },
  'GET /cluster/ha/status/manager_status': { permission: at('/', 'Sys.Audit') },
};

import { at, flag, needed, oneOf, text } from './notation.ts';
import type { Api } from './notation.ts';
import { poolid } from './values.ts';

/** Resource pools. */
export const pools: Api = {
  'GET /pools': {
    permission: 'all',
    params: { poolid, type: oneOf(['qemu', 'lxc', 'storage'], { requires: 'poolid' }) },
  },
  'POST /pools': {
    permission: at('/pool/{poolid}', 'Pool.Allocate'),
    params: { comment: text(), poolid: needed(poolid) },
    protected: true,
  },
  'PUT /pools': {
    permission: at('/pool/{poolid}', 'Pool.Allocate'),
    params: {
      'allow-move': flag(),
      comment: text(),
      delete: flag(),
      poolid: needed(poolid),
      storage: text({ format: 'pve-storage-id-list' }),
      vms: text({ format: 'pve-vmid-list' }),
    },
    protected: true,
  },
  'DELETE /pools': {
    permission: at('/pool/{poolid}', 'Pool.Allocate'),
    params: { poolid: needed(poolid) },
    protected: true,
  },
  'GET /pools/{poolid}': {
    permission: at('/pool/{poolid}', 'Pool.Audit'),
    params: { type: oneOf(['qemu', 'lxc', 'storage']) },
  },
  'PUT /pools/{poolid}': {
    permission: at('/pool/{poolid}', 'Pool.Allocate'),
    params: {
      'allow-move': flag(),
      comment: text(),
      delete: flag(),
      storage: text({ format: 'pve-storage-id-list' }),
      vms: text({ format: 'pve-vmid-list' }),
    },
    protected: true,
  },
  'DELETE /pools/{poolid}': { permission: at('/pool/{poolid}', 'Pool.Allocate'), protected: true },
};

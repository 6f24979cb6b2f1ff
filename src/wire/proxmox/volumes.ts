import { anyAt, at, both, either, flag, integer, needed, oneOf, text } from './notation.ts';
import type { Api } from './notation.ts';
import { checksums, node, rrd, storage, vmid } from './values.ts';

/** What lies on a storage of a host. */
export const volumes: Api = {
  'GET /nodes/{node}/storage': {
    permission: 'all',
    params: {
      content: text({ format: 'pve-storage-content-list' }),
      enabled: flag(),
      format: flag(),
      storage,
      target: node,
    },
    protected: true,
    proxied: true,
  },
  'GET /nodes/{node}/storage/{storage}': {
    permission: anyAt('/storage/{storage}', 'Datastore.Audit', 'Datastore.AllocateSpace'),
  },
  'GET /nodes/{node}/storage/{storage}/content': {
    permission: anyAt('/storage/{storage}', 'Datastore.Audit', 'Datastore.AllocateSpace'),
    params: { content: text({ format: 'pve-storage-content' }), vmid },
    protected: true,
    proxied: true,
  },
  'POST /nodes/{node}/storage/{storage}/content': {
    permission: at('/storage/{storage}', 'Datastore.AllocateSpace'),
    params: {
      filename: needed(text()),
      format: oneOf(['raw', 'qcow2', 'subvol', 'vmdk'], { requires: 'size' }),
      size: needed(text({ pattern: /\d+[MG]?/ })),
      vmid: needed(vmid),
    },
    protected: true,
    proxied: true,
  },
  'GET /nodes/{node}/storage/{storage}/content/{volume}': {
    permission: 'all',
    params: { storage },
    protected: true,
    proxied: true,
  },
  'POST /nodes/{node}/storage/{storage}/content/{volume}': {
    permission: 'root',
    params: { storage, target: needed(text()), target_node: node },
    protected: true,
    proxied: true,
  },
  'PUT /nodes/{node}/storage/{storage}/content/{volume}': {
    permission: 'all',
    params: { notes: text(), protected: flag(), storage },
    protected: true,
    proxied: true,
  },
  'DELETE /nodes/{node}/storage/{storage}/content/{volume}': {
    permission: 'all',
    params: { delay: integer({ minimum: 1, maximum: 30 }), storage },
    protected: true,
    proxied: true,
  },
  'POST /nodes/{node}/storage/{storage}/download-url': {
    permission: both(
      at('/storage/{storage}', 'Datastore.AllocateTemplate'),
      either(at('/', 'Sys.Audit', 'Sys.Modify'), at('/nodes/{node}', 'Sys.AccessNetwork')),
    ),
    params: {
      ...checksums,
      compression: text(),
      content: needed(oneOf(['iso', 'vztmpl', 'import'], { format: 'pve-storage-content' })),
      filename: needed(text({ maxLength: 255 })),
      url: needed(text({ pattern: /https?:\/\/.*/ })),
      'verify-certificates': flag(),
    },
    protected: true,
    proxied: true,
  },
  'GET /nodes/{node}/storage/{storage}/rrddata': {
    permission: anyAt('/storage/{storage}', 'Datastore.Audit', 'Datastore.AllocateSpace'),
    params: { ...rrd },
    protected: true,
    proxied: true,
  },
  'GET /nodes/{node}/storage/{storage}/status': {
    permission: anyAt('/storage/{storage}', 'Datastore.Audit', 'Datastore.AllocateSpace'),
    protected: true,
    proxied: true,
  },
  'POST /nodes/{node}/storage/{storage}/upload': {
    permission: at('/storage/{storage}', 'Datastore.AllocateTemplate'),
    params: {
      ...checksums,
      content: needed(oneOf(['iso', 'vztmpl', 'import'], { format: 'pve-storage-content' })),
      filename: needed(text({ maxLength: 255 })),
      tmpfilename: text({ pattern: /\/var\/tmp\/pveupload-[0-9a-f]+/ }),
    },
    protected: true,
  },
};

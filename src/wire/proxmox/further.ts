import { anyAt, at, flag, needed, oneOf, text, words } from './notation.ts';
import type { Api } from './notation.ts';
import { sha1 } from './values.ts';

const groupid = text({ format: 'pve-groupid' });
const address = text({ format: 'ip' });
const zone = needed(text({ format: 'pve-sdn-zone-id' }));
const vnet = needed(text({ format: 'pve-sdn-vnet-id' }));
const stage = { running: flag(), pending: flag() };

/** Calls as the sources of Proxmox VE describe them; the description of the running server that all others follow lacks them. */
export const further: Api = {
  'GET /access/groups': { permission: 'all' },
  'POST /access/groups': {
    permission: at('/access/groups', 'Group.Allocate'),
    params: { comment: text(), groupid: needed(groupid) },
    protected: true,
  },
  'GET /access/groups/{groupid}': {
    permission: anyAt('/access/groups', 'Sys.Audit', 'Group.Allocate'),
    params: { groupid: needed(groupid) },
  },
  'PUT /access/groups/{groupid}': {
    permission: at('/access/groups', 'Group.Allocate'),
    params: { comment: text(), groupid: needed(groupid) },
    protected: true,
  },
  'DELETE /access/groups/{groupid}': {
    permission: at('/access/groups', 'Group.Allocate'),
    params: { groupid: needed(groupid) },
    protected: true,
  },
  'GET /cluster/sdn/vnets': { permission: 'all', params: stage },
  'GET /cluster/sdn/vnets/{vnet}': { permission: 'all', params: { ...stage, vnet } },
  'GET /cluster/sdn/zones': {
    permission: 'all',
    params: { ...stage, type: oneOf(words('evpn faucet qinq simple vlan vxlan')) },
  },
  'GET /cluster/sdn/zones/{zone}': {
    permission: at('/sdn/zones/{zone}', 'SDN.Allocate'),
    params: { ...stage, zone },
  },
  'GET /nodes/{node}/dns': { permission: at('/nodes/{node}', 'Sys.Audit'), proxied: true },
  'PUT /nodes/{node}/dns': {
    permission: at('/nodes/{node}', 'Sys.Modify'),
    params: { dns1: address, dns2: address, dns3: address, search: needed(text()) },
    protected: true,
    proxied: true,
  },
  'GET /nodes/{node}/hosts': { permission: at('/', 'Sys.Audit'), protected: true, proxied: true },
  'POST /nodes/{node}/hosts': {
    permission: at('/nodes/{node}', 'Sys.Modify'),
    params: { data: needed(text()), digest: sha1 },
    protected: true,
    proxied: true,
  },
  'GET /nodes/{node}/time': { permission: at('/nodes/{node}', 'Sys.Audit'), proxied: true },
  'PUT /nodes/{node}/time': {
    permission: at('/nodes/{node}', 'Sys.Modify'),
    params: { timezone: needed(text()) },
    protected: true,
    proxied: true,
  },
};

import { done, forbidden, holding, like, refused, wrong } from '../case.ts';
import type { Chapter } from '../case.ts';

/** Groups of users, files of hosts, virtual networks: what Terraform’s smaller resources use. */
export const system: Chapter = {
  title: 'groups, files of hosts, virtual networks',
  cases: [
    done('there is no group at first', 'GET /access/groups', {}, []),
    done('one is made', 'POST /access/groups', { form: { groupid: 'ops', comment: 'who operates' } }),
    refused(
      'there is one of a name',
      'POST /access/groups',
      { form: { groupid: 'ops' } },
      500,
      "create group failed: group 'ops' already exists",
    ),
    wrong(
      'a name with a blank',
      'POST /access/groups',
      { form: { groupid: 'o ps' } },
      { groupid: "invalid format - group name 'o ps' contains invalid characters\n" },
    ),
    done('somebody comes into it', 'POST /access/users', { form: { userid: 'ops@pve', groups: 'ops' } }),
    done('it is listed', 'GET /access/groups', {}, [{ groupid: 'ops', comment: 'who operates', users: 'ops@pve' }]),
    done('it is read', 'GET /access/groups/ops', {}, { members: ['ops@pve'], comment: 'who operates' }),
    done('it is changed', 'PUT /access/groups/ops', { form: { comment: 'others' } }),
    done('and read again', 'GET /access/groups/ops', {}, { members: ['ops@pve'], comment: 'others' }),
    done('rights are given to it', 'PUT /access/acl', { form: { path: '/vms', roles: 'PVEAuditor', groups: 'ops' } }),
    done(
      'so that its members have them',
      'GET /access/permissions?userid=ops@pve&path=/vms',
      {},
      {
        '/vms': holding({ 'VM.Audit': 1 }),
      },
    ),
    forbidden(
      'not everybody makes groups',
      'POST /access/groups',
      { who: 'eva', form: { groupid: 'mine' } },
      '/access/groups, Group.Allocate',
    ),
    done('it goes', 'DELETE /access/groups/ops'),
    refused('once', 'DELETE /access/groups/ops', {}, 500, "delete group failed: group 'ops' does not exist"),
    refused('and is not there', 'GET /access/groups/ops', {}, 500, "group 'ops' does not exist"),
    done('with the rights of its members', 'GET /access/permissions?userid=ops@pve&path=/vms', {}, { '/vms': {} }),

    done('servers for names', 'PUT /nodes/h2/dns', { form: { search: 'lab.test', dns1: '10.0.0.53', dns2: '::1' } }),
    done('are read', 'GET /nodes/h2/dns', {}, { search: 'lab.test', dns1: '10.0.0.53', dns2: '::1' }),
    done('all of them are written', 'PUT /nodes/h2/dns', { form: { search: 'lab.test' } }),
    done('every time', 'GET /nodes/h2/dns', {}, { search: 'lab.test' }),
    wrong(
      'a server without an address',
      'PUT /nodes/h2/dns',
      { form: { search: 'x', dns1: 'nobody' } },
      { dns1: 'invalid format - value does not look like a valid IP address\n' },
    ),
    done('/etc/hosts is written', 'POST /nodes/h1/hosts', { form: { data: '127.0.0.1 localhost\n' } }),
    done(
      'and read',
      'GET /nodes/h1/hosts',
      {},
      {
        data: '127.0.0.1 localhost\n',
        digest: 'c7f9a550b77ece79052aa1a630098b911883abde',
      },
    ),
    refused(
      'unless somebody else wrote it meanwhile',
      'POST /nodes/h1/hosts',
      { form: { data: '', digest: '0'.repeat(40) } },
      500,
      'detected modified configuration - file changed by other user? Try again.',
    ),
    done('the place of a host', 'PUT /nodes/h1/time', { form: { timezone: 'Asia/Kolkata' } }),
    wrong(
      'that is nowhere',
      'PUT /nodes/h1/time',
      { form: { timezone: 'Nowhere/Else' } },
      { timezone: 'No such timezone' },
    ),
    forbidden('not everybody sees the clock', 'GET /nodes/h1/time', { who: 'eva' }, '/nodes/h1, Sys.Audit'),

    done('zones', 'GET /cluster/sdn/zones', {}, [
      { zone: 'blue', type: 'vlan', nodes: 'h1', digest: like(/^[0-9a-f]{40}$/) },
    ]),
    done('of another type there are none', 'GET /cluster/sdn/zones?type=evpn', {}, []),
    done('networks', 'GET /cluster/sdn/vnets', {}, [
      { vnet: 'talos', type: 'vnet', zone: 'blue', tag: 40, digest: like(/^[0-9a-f]{40}$/) },
    ]),
    done('who may not see them sees none', 'GET /cluster/sdn/vnets', { who: 'eva' }, []),
    refused('one that is not there', 'GET /cluster/sdn/vnets/none', {}, 500, "sdn 'none' does not exist"),
    done('they are bridges of the hosts that they reach', 'GET /nodes/h1/network?type=any_bridge', {}, [
      holding({ iface: 'vmbr0', type: 'bridge' }),
      { iface: 'talos', type: 'vnet', active: 1 },
    ]),
    done('and of no others', 'GET /nodes/h2/network?type=any_bridge', {}, [holding({ iface: 'vmbr0' })]),
  ],
};

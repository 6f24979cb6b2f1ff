import { done, forbidden, like, refused, wrong } from '../case.ts';
import type { Case, Chapter } from '../case.ts';

/** Who is not known is told so in the status line alone. */
const stranger = (name: string, call: string, headers: readonly string[], reason: string): Case => ({
  name,
  call,
  asked: { headers },
  status: 401,
  reason,
  body: '',
});

const failed = (name: string, form: Readonly<Record<string, string>>): Case => ({
  ...refused(name, 'POST /access/ticket', { who: 'nobody', form }, 401, 'authentication failure'),
});

export const access: Chapter = {
  title: 'access',
  cases: [
    stranger('nobody says who they are', 'GET /version', [], 'No ticket'),
    stranger('somebody says it in another way', 'GET /version', ['Authorization: Bearer x'], 'No ticket'),
    stranger('a token that is none', 'GET /version', ['Authorization: PVEAPIToken=x'], 'Authentication failed!'),
    stranger('a token of nobody', 'GET /version', ['Authorization: PVEAPIToken=no@pve!x=1'], 'Authentication failed!'),
    stranger('a ticket that is none', 'GET /version', ['Cookie: PVEAuthCookie=x'], 'Authentication failed!'),
    failed('a wrong password', { username: 'root@pam', password: 'guess' }),
    failed('nobody of that name', { username: 'no@pve', password: 'guess' }),
    failed('a name without a realm', { username: 'root', password: 'guess' }),
    wrong(
      'no password at all',
      'POST /access/ticket',
      { who: 'nobody', form: { username: 'root@pam' } },
      {
        password: 'property is missing and it is not optional',
      },
    ),
    done('anybody may see where people log in', 'GET /access/domains', { who: 'nobody' }, [
      { realm: 'pam', type: 'pam', comment: 'Linux PAM standard authentication' },
      { realm: 'pve', type: 'pve', comment: 'Proxmox VE authentication server' },
    ]),
    done('eva gets an account', 'POST /access/users', { form: { userid: 'eva@pve', password: 'eva-eva-eva' } }),
    refused(
      'there is one eva',
      'POST /access/users',
      { form: { userid: 'eva@pve' } },
      500,
      "create user failed: user 'eva@pve' already exists",
    ),
    wrong(
      'a name with a blank',
      'POST /access/users',
      { who: 'root’s ticket', form: { userid: 'e va@pve' } },
      {
        userid: "invalid format - value 'e va@pve' does not look like a valid user name\n",
      },
    ),
    wrong(
      'a short password',
      'POST /access/users',
      { form: { userid: 'ida@pve', password: 'ida' } },
      {
        password: 'value must be at least 8 characters long',
      },
    ),
    {
      name: 'eva logs in',
      call: 'POST /access/ticket',
      asked: { who: 'nobody', form: { username: 'eva', realm: 'pve', password: 'eva-eva-eva' } },
      status: 200,
      body: {
        data: {
          username: 'eva@pve',
          ticket: like(/^PVE:eva@pve:[0-9A-F]{8}::/),
          CSRFPreventionToken: like(/^[0-9A-F]{8}:/),
          cap: { vms: {}, access: {}, storage: {}, nodes: {}, sdn: {}, dc: {}, mapping: {} },
          // The cluster’s name is for those who may look at it.
        },
      },
    },
    {
      name: 'a token has a secret that is shown once',
      call: 'POST /access/users/eva@pve/token/robot',
      asked: { form: { comment: 'builds' } },
      status: 200,
      body: {
        data: {
          'full-tokenid': 'eva@pve!robot',
          value: like(/^[0-9a-f-]{36}$/),
          info: { privsep: 1, comment: 'builds' },
        },
      },
    },
    done(
      'afterwards it is not',
      'GET /access/users/eva@pve/token/robot',
      {},
      {
        privsep: 1,
        expire: 0,
        comment: 'builds',
      },
    ),
    wrong(
      'there is one such token',
      'POST /access/users/eva@pve/token/robot',
      { form: {} },
      {
        tokenid: 'Token already exists.',
      },
    ),
    wrong(
      'a token of one letter',
      'POST /access/users/eva@pve/token/r',
      { form: {} },
      {
        tokenid: 'value does not match the regex pattern',
      },
    ),
    refused(
      'a token that is not there',
      'GET /access/users/eva@pve/token/other',
      {},
      500,
      "no such token 'other' for user 'eva@pve'",
    ),
    refused('a user that is not there', 'GET /access/users/ida@pve', {}, 500, "no such user ('ida@pve')"),
    wrong(
      'a privilege of another version',
      'POST /access/roles',
      { form: { roleid: 'Agent', privs: 'VM.Monitor' } },
      {
        privs: "invalid format - invalid privilege 'VM.Monitor'\n",
      },
    ),
    wrong(
      'a name that only built-in roles have',
      'POST /access/roles',
      { form: { roleid: 'pveX', privs: '' } },
      {
        roleid: "cannot use role ID starting with the (case-insensitive) 'PVE' namespace",
      },
    ),
    done('a role', 'POST /access/roles', { form: { roleid: 'Operator', privs: 'VM.Audit,VM.PowerMgmt' } }),
    refused(
      'there is one such role',
      'POST /access/roles',
      { form: { roleid: 'Operator' } },
      500,
      "create role failed: role 'Operator' already exists",
    ),
    done('a role grows', 'PUT /access/roles/Operator', { form: { append: 1, privs: 'VM.Console' } }),
    done('it allows', 'GET /access/roles/Operator', {}, { 'VM.Audit': 1, 'VM.PowerMgmt': 1, 'VM.Console': 1 }),
    refused(
      'nobody changes what is built in',
      'PUT /access/roles/PVEAuditor',
      { form: { privs: 'VM.Audit' } },
      500,
      "auto-generated role 'PVEAuditor' cannot be modified",
    ),
    wrong(
      'a right for nobody',
      'PUT /access/acl',
      { form: { path: '/', roles: 'Operator' } },
      {
        users: "either 'users', 'groups' or 'tokens' is required.",
        groups: "either 'users', 'groups' or 'tokens' is required.",
        tokens: "either 'users', 'groups' or 'tokens' is required.",
      },
    ),
    wrong(
      'a right over nothing',
      'PUT /access/acl',
      { form: { path: '/moon', roles: 'Operator', users: 'eva@pve' } },
      {
        path: "invalid ACL path '/moon'",
      },
    ),
    refused(
      'a role that is not there',
      'PUT /access/acl',
      { form: { path: '/', roles: 'Pilot', users: 'eva@pve' } },
      500,
      "ACL update failed: role 'Pilot' does not exist",
    ),
    forbidden(
      'a token gives no tickets',
      'POST /access/ticket',
      { form: { username: 'a@pve', password: 'b' } },
      "URI '/access/ticket' not available with API token, need proper ticket.\n",
    ),
  ],
};

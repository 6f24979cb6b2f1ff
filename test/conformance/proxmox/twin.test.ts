import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wallClock } from '../../../src/lab/clock.ts';
import { startProxmoxLab } from '../../../src/lab/proxmox/lab.ts';
import type { ProxmoxLab } from '../../../src/lab/proxmox/twin.ts';
import { asking } from '../../lab/proxmox.ts';
import type { Asking } from '../../lab/proxmox.ts';
import { shown } from './case.ts';
import type { Case, Who } from './case.ts';
import { access } from './cases/access.ts';
import { envelopes } from './cases/envelopes.ts';
import { parameters } from './cases/parameters.ts';
import { rights } from './cases/rights.ts';
import { system } from './cases/system.ts';

let lab: ProxmoxLab;
let ask: Asking;

beforeAll(async () => {
  lab = await startProxmoxLab({
    addresses: 'mapped',
    clock: wallClock(50),
    hosts: [{ name: 'h1' }, { name: 'h2' }],
    storages: [{ id: 'local', type: 'dir', content: ['iso'] }],
    sdn: { zones: [{ zone: 'blue', type: 'vlan', hosts: ['h1'] }], vnets: [{ vnet: 'talos', zone: 'blue', tag: 40 }] },
  });
  ask = asking(lab);
});
afterAll(() => lab[Symbol.asyncDispose]());

const secrets = new Map<string, string>();

async function ticketOf(username: string, password: string): Promise<readonly string[]> {
  const { body } = await ask('POST /access/ticket', { headers: [], form: { username, password } });
  const { ticket, CSRFPreventionToken: csrf } = (body as { data: { ticket: string; CSRFPreventionToken: string } })
    .data;
  return [`Cookie: PVEAuthCookie=${encodeURIComponent(ticket)}`, `CSRFPreventionToken: ${csrf}`];
}

async function headersOf(who: Who): Promise<readonly string[] | undefined> {
  switch (who) {
    case 'root':
      return undefined;
    case 'nobody':
      return [];
    case 'root’s ticket':
      return ticketOf(lab.password.username, lab.password.password);
    case 'eva':
      return ticketOf('eva@pve', 'eva-eva-eva');
    case 'eva’s token':
      return [`Authorization: PVEAPIToken=eva@pve!robot=${secrets.get('eva@pve!robot') ?? ''}`];
  }
}

async function prove({
  call,
  asked: { who = 'root', ...asked } = {},
  status,
  reason = 'OK',
  body,
}: Case): Promise<void> {
  const headers = await headersOf(who);
  const answer = await ask(call, { ...(headers === undefined ? {} : { headers }), ...asked });
  const { data } = answer.body as { data?: { 'full-tokenid'?: string; value?: string } };
  if (data?.['full-tokenid'] !== undefined) secrets.set(data['full-tokenid'], data.value ?? '');
  expect(shown(answer)).toEqual({ status, reason, body: body === undefined ? answer.body : body });
}

describe.each([envelopes, parameters, access, rights, system])('$title', ({ cases }) => {
  for (const each of cases) test(each.name === '' ? each.call : each.name, () => prove(each));
});

import { expect, test } from 'vitest';
import { anApi, patience } from '../../../../test/proxmox/asking.ts';
import { aHost, answer, ok, refused, type Heard } from '../../../../test/proxmox/scripted-host.ts';
import { told } from '../../../../test/talos/told.ts';

const signal = AbortSignal.timeout(60_000);
const version = { path: '/version', doing: 'tell its version' };
const start = { path: '/nodes/pve1/qemu/401/status/start', doing: 'start VM 401 on pve1' };
const login = { credentials: { kind: 'login', username: 'automation@pve', password: 'hunter2=;&' } } as const;

let tickets = 0;
const ticket = () => ok({ ticket: `PVE:automation@pve:${++tickets}::sig+/=`, CSRFPreventionToken: `csrf-${tickets}` });
const isLogin = ({ path }: Heard): boolean => path === '/api2/json/access/ticket';

test('a login sends its ticket as a cookie, with a token against forgery on writes alone', async () => {
  tickets = 0;
  await using host = await aHost((heard) => (isLogin(heard) ? ticket() : ok(null)));
  await using api = anApi([host], { access: login });
  await api.get(version, signal);
  await api.write('POST', start, signal);
  expect(host.heard.map(({ path, body }) => [path, body])).toEqual([
    ['/api2/json/access/ticket', 'username=automation%40pve&password=hunter2%3D%3B%26'],
    ['/api2/json/version', ''],
    ['/api2/json/nodes/pve1/qemu/401/status/start', ''],
  ]);
  expect(host.heard.slice(1).map(({ headers }) => [headers['cookie'], headers['csrfpreventiontoken']])).toEqual([
    ['PVEAuthCookie=PVE%3Aautomation%40pve%3A1%3A%3Asig%2B%2F%3D', undefined],
    ['PVEAuthCookie=PVE%3Aautomation%40pve%3A1%3A%3Asig%2B%2F%3D', 'csrf-1'],
  ]);
});

test('a ticket is renewed before its two hours are over, and once when it is refused', async () => {
  let refuse = 0;
  await using host = await aHost((heard) =>
    isLogin(heard) ? ticket() : refuse-- > 0 ? answer('401 permission denied - invalid PVE ticket', '') : ok('yes'),
  );
  const tools = patience();
  await using api = anApi([host], { access: login, tools });
  const logins = () => host.heard.filter(isLogin).length;
  await api.get(version, signal);
  await api.get(version, signal);
  expect(logins()).toBe(1);
  tools.now = new Date(tools.now.getTime() + 91 * 60_000);
  await api.get(version, signal);
  expect(logins()).toBe(2);
  refuse = 1;
  expect(await api.write('POST', start, signal)).toBe('yes');
  expect(logins()).toBe(3);
  refuse = 2;
  expect(await told(api.get(version, signal))).toEqual({
    code: 'proxmox-unauthorized',
    recovery: 'ask',
    message: 'Proxmox does not accept the login automation@pve.',
  });
  expect(logins()).toBe(4);
});

test('many requests at once log in once', async () => {
  await using host = await aHost((heard) => (isLogin(heard) ? ticket() : ok(null)));
  await using api = anApi([host], { access: login });
  await Promise.all(Array.from({ length: 8 }, () => api.get(version, signal)));
  expect(host.heard.filter(isLogin).length).toBe(1);
});

test('a token that is refused is not tried again', async () => {
  await using host = await aHost(() => answer('401 Authentication failed!', ''));
  await using api = anApi([host]);
  expect(await told(api.get(version, signal))).toEqual({
    code: 'proxmox-unauthorized',
    recovery: 'ask',
    message: 'Proxmox does not accept the token automation@pve!ichor.',
  });
  expect(host.heard.length).toBe(1);
});

test('a second factor is told to use a token', async () => {
  await using host = await aHost(() => ok({ ticket: 'PVE:!tfa!', CSRFPreventionToken: 'x', NeedTFA: 1 }));
  await using api = anApi([host], { access: login });
  expect((await told(api.get(version, signal))).message).toBe(
    'automation@pve logs in with a second factor, which nobody is here to give.',
  );
});

test('no secret is in a problem, whatever a host repeats', async () => {
  const secret = '11111111-2222-4333-8444-555555555555';
  await using host = await aHost(() => refused(400, `bad token ${secret}`, { token: `value '${secret}' is odd` }));
  await using api = anApi([host]);
  const { message } = await told(api.get(version, signal));
  expect(message).toBe("Proxmox refused to tell its version: bad token … - token: value '…' is odd");
});

test.each(['f527a6f7-1c5e-4a52-9d4d-0f6f5f0f6a11', 'ichor@pve!ichor f527a6f7', 'ichor@pve=f527a6f7', ''])(
  'a token that is none is not shown, whatever it is: %j',
  async (token) => {
    await using host = await aHost(() => ok(null));
    const open = () => anApi([host], { access: { credentials: { kind: 'token', token } } });
    expect(open).toThrow('The token is not of the form USER@REALM!NAME=SECRET.');
  },
);

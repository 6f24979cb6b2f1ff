import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exchange } from '../../lab/exchange.ts';
import { startMachine } from './machines.ts';
import type { Machine } from './machines.ts';
import { recordingsFolder } from './rows.ts';
import { wrongProperties, wrongValues } from './wrong-values.ts';
import type { RealParam, Wrong } from './wrong-values.ts';

type Real = {
  readonly method: string;
  readonly path: string;
  readonly proxyto: string | null;
  readonly extra_params_allowed: boolean;
  readonly params: Readonly<Record<string, RealParam>>;
};

const real = JSON.parse(readFileSync(join(recordingsFolder(), 'proxmox-schema.json'), 'utf8')) as {
  readonly endpoints: readonly Real[];
  readonly formats: Readonly<Record<string, Readonly<Record<string, RealParam>>>>;
};
const formats = new Set(Object.keys(real.formats));

let machine: Machine;
beforeAll(async () => {
  machine = await startMachine('one');
});
afterAll(() => machine[Symbol.asyncDispose]());

/** What stands in a path: anything that has the right form. */
const inPath: Readonly<Record<string, string>> = {
  node: 'pve1',
  vmid: '100',
  storage: 'local',
  volume: 'local:iso/x.iso',
  upid: 'UPID:pve1:00000001:00000001:6AFA0000:qmstart:100:root@pam:',
  userid: 'root@pam',
  tokenid: 'some',
  roleid: 'Some',
  poolid: 'some',
  iface: 'vmbr0',
  snapname: 'some',
  sid: 'vm:100',
  rule: 'some',
  group: 'some',
  name: 'some',
  pos: '0',
  cidr: '10.0.0.1',
};

async function errorsOf(
  { method, path }: Real,
  values: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | string> {
  const given = { ...values };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name] ?? inPath[name] ?? 'some';
    delete given[name];
    return encodeURIComponent(value);
  });
  const pairs = new URLSearchParams(given).toString();
  // An upload without a body is judged by its query.
  const inBody = (method === 'POST' || method === 'PUT') && !path.endsWith('/upload');
  const credentials = await machine.credentials.headersOf('ticket root@pam', '');
  const head = [
    `${method} /api2/json${filled}${inBody || pairs === '' ? '' : `?${pairs}`} HTTP/1.1`,
    'Host: lab',
    'Connection: close',
    ...credentials.map(([name, value]) => `${name}: ${value}`),
    ...(inBody ? [`Content-Length: ${pairs.length}`] : []),
    '',
    inBody ? pairs : '',
  ];
  const [endpoint = ''] = machine.lab.endpoints.values();
  const { statusLine, body } = await exchange(endpoint, machine.lab.ca, Buffer.from(head.join('\r\n')));
  const parsed = statusLine.includes(' 400 ') ? (JSON.parse(body) as { errors: Record<string, string> }) : undefined;
  return parsed?.errors ?? statusLine;
}

/** First and last of numbered ones. */
function namesOf(name: string): readonly string[] {
  const [, prefix, from, to] = /^(.+)\[(\d+)-(\d+|n)\]$/.exec(name) ?? [];
  return prefix === undefined ? [name] : [`${prefix}${from}`, `${prefix}${to === 'n' ? 255 : to}`];
}

/** What else must be there so that one parameter is looked at. */
const besides = (param: RealParam): Readonly<Record<string, string>> =>
  param.when?.[0] === undefined ? {} : { type: param.when[0] };

const cases = real.endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

test.each(cases)('%s refuses what it does not take', async (_, endpoint) => {
  const differing: unknown[] = [];
  const judge = async (name: string, param: RealParam, { value, complaint, on = name }: Wrong): Promise<void> => {
    const errors = await errorsOf(endpoint, { ...besides(param), ...(value === undefined ? {} : { [name]: value }) });
    const told = typeof errors === 'string' ? errors : errors[on];
    if (told !== complaint) differing.push({ name, value, expected: complaint, told });
  };
  for (const [described, param] of Object.entries(endpoint.params)) {
    const isInPath = endpoint.path.includes(`{${described}}`);
    // Where a request goes is decided before it is looked at.
    if (described === 'node' && endpoint.proxyto !== null) continue;
    const props = param.props ?? (param.format === undefined ? undefined : real.formats[param.format]);
    for (const name of namesOf(described)) {
      const wrong = [
        ...wrongValues(name, param, formats),
        ...(props === undefined ? [] : wrongProperties(name, props, formats)),
      ];
      for (const each of wrong) {
        if (isInPath && (each.value === undefined || each.value === '' || each.value.includes('/'))) continue;
        await judge(name, param, each);
      }
      if (param.requires === undefined || param.props !== undefined) continue;
      const missing = endpoint.params[param.requires]?.required === true;
      await judge(name, param, {
        value: '1',
        // Two complaints about one parameter have a backslash and an n between them.
        complaint: `${missing ? 'property is missing and it is not optional\\n' : ''}missing property required by '${name}'`,
        on: param.requires,
      });
    }
  }
  if (!endpoint.extra_params_allowed)
    await judge(
      'nosuch',
      {},
      {
        value: '1',
        complaint: 'property is not defined in schema and the schema does not allow additional properties',
      },
    );
  expect(differing).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { aBench, refTo, seen, vm } from '../../test/execute/bench.ts';
import { sequence } from '../../test/fake-talos.ts';
import { twoMachines } from '../../test/talos-platform.ts';
import type { MachineStatus, ServiceState, TalosVersion } from '../clients/talos.ts';
import { Problem } from '../model/problem.ts';
import { known } from '../model/seen.ts';

const machine = 'prod-cp-0';
const ref = refTo(machine);
const at = '10.9.0.7';
const maintenance = { kind: 'maintenance', version: 'v1.13.9', fingerprint: 'AAAA' } as const;
const configured = { kind: 'configured' } as const;
const absent = { kind: 'absent', because: 'nothing listens there' } as const;
const lost = new Problem('talos-connection-lost', 'the connection was lost', { recovery: 'retry' });
const applied = { mode: 'no-reboot', warnings: [], details: '' } as const;
const told = (address: string | undefined) => ({
  address: async () => address,
  machines: async () => seen(vm(machine)),
});

describe('a machine that does not answer', () => {
  test('has no address: what to check, and which machine it is', async () => {
    const { refuses, told: said } = await aBench({ reader: told(undefined) });
    const problem = await refuses('talos.reach', { machine, ref });
    expect([problem.code, problem.recovery]).toEqual(['machine-no-address', 'ask']);
    expect(problem.message).toBe('prod-cp-0 (VM 401 on pve1) has no address after 600 s.');
    for (const words of ['console (pve1, VM 401)', 'DHCP', 'qemu-guest-agent', 'firewalls']) {
      expect(problem.remedy).toContain(words);
    }
    expect(problem.remedy.split('\n').at(-1)).toBe('    ssh root@pve1 qm agent 401 network-get-interfaces');
    expect(said).toEqual(['prod-cp-0 (VM 401 on pve1) to answer: it has no address yet']);
  });

  test('is off', async () => {
    const machines = async () => seen(vm(machine, { power: known('off') }));
    const { refuses } = await aBench({ reader: { address: async () => undefined, machines } });
    expect((await refuses('talos.reach', { machine, ref })).message).toBe(
      'prod-cp-0 (VM 401 on pve1) is off, after 600 s: somebody switched it off, or it could not start.',
    );
  });

  test('is silent where it is', async () => {
    const { refuses } = await aBench({ reader: told(at) });
    const problem = await refuses('talos.reach', { machine, ref });
    expect(problem.message).toBe(
      'Talos does not answer on prod-cp-0 (VM 401 on pve1) at 10.9.0.7, after 600 s: 10.9.0.7: nothing listens there.',
    );
    expect(problem.remedy.split('\n').at(-1)).toBe('    ichor talos version --insecure -n 10.9.0.7');
  });

  test('answers after a while, wherever it is by then', async () => {
    const bench = await aBench({
      reader: {
        address: sequence<string | undefined>(undefined, '10.9.0.6', '10.9.0.6', at),
        machines: async () => [],
      },
      standings: { [at]: [absent, maintenance] },
    });
    await bench.does('talos.reach', { machine, ref });
    expect(bench.tools.found.addresses).toEqual(new Map([[machine, at]]));
  });
});

describe('a first configuration', () => {
  test('is not given to another machine at the same address', async () => {
    const nodes = { [at]: { systemUuid: async () => 'uuid-of-somebody' } };
    const { refuses, asked } = await aBench({ reader: told(at), standings: { [at]: [maintenance] }, nodes });
    const problem = await refuses('talos.configure', { machine, ref });
    expect([problem.code, problem.recovery]).toEqual(['machine-other', 'ask']);
    expect(problem.message).toBe(
      'At 10.9.0.7 stands another machine than prod-cp-0 (VM 401 on pve1): its UUID is uuid-of-somebody, and not uuid-of-prod-cp-0. Nothing was done to it.',
    );
    expect(asked).toEqual(['open 10.9.0.7 maintenance', 'systemUuid']);
  });

  test('is given though the factory is not reached from here, and that is said; not where it refuses', async () => {
    const nodes = { [at]: { systemUuid: async () => undefined, apply: async () => applied } };
    const away = new Problem('image-unreachable', 'https://factory.talos.dev cannot be reached.', {
      recovery: 'retry',
    });
    const file = twoMachines({ cp: at, worker: '10.9.0.8' });
    const bench = await aBench({ file, standings: { [at]: [maintenance] }, nodes });
    Object.assign(bench.tools, { registerSchematic: () => Promise.reject(away) });
    await bench.does('talos.configure', { machine, ref: undefined });
    expect(bench.told).toEqual([
      'https://factory.talos.dev cannot be reached. An installer that it was never told of cannot be pulled from it.',
    ]);
    expect(bench.asked).toContain('apply');
    const refused = new Problem('schematic-refused', 'No such extension.');
    Object.assign(bench.tools, { registerSchematic: () => Promise.reject(refused) });
    expect((await bench.refuses('talos.configure', { machine, ref: undefined })).code).toBe('schematic-refused');
  });

  test('is given without a word to the factory where nothing is in the image', async () => {
    const nodes = { [at]: { systemUuid: async () => undefined, apply: async () => applied } };
    const file = twoMachines({ cp: at, worker: '10.9.0.8' }, 'talos: { extensions: [] }');
    const bench = await aBench({ file, standings: { [at]: [maintenance] }, nodes });
    Object.assign(bench.tools, { registerSchematic: () => Promise.reject(new Error('nobody asked it')) });
    await bench.does('talos.configure', { machine, ref: undefined });
    expect(bench.asked).toContain('apply');
  });

  test('is not taken for given because another machine of ours answers at the address', async () => {
    const version = async () => ({ tag: 'v1.13.9', sha: '', arch: '', platform: '', mode: '' });
    const nodes = { [at]: { version, systemUuid: async () => 'uuid-of-somebody' } };
    const { refuses } = await aBench({ reader: told(at), standings: { [at]: [configured] }, nodes });
    expect((await refuses('talos.configure', { machine, ref })).code).toBe('machine-other');
  });

  test('is not given to a machine of another cluster', async () => {
    const version = () => Promise.reject(new Problem('talos-other-cluster', 'not ours', { recovery: 'ask' }));
    const nodes = { [at]: { version } };
    const { refuses } = await aBench({ reader: told(at), standings: { [at]: [configured] }, nodes });
    const problem = await refuses('talos.configure', { machine, ref });
    expect(problem.message).toBe(
      'prod-cp-0 at 10.9.0.7 is configured already, and not by this cluster: it does not take our certificates. Nothing was done to it.',
    );
    expect(problem.remedy).toContain('ichor talos reset -n 10.9.0.7');
  });

  test('is not given to a machine whose fingerprint is not the pinned one', async () => {
    const file = twoMachines({ cp: at, worker: '10.9.0.8' }).replace(
      `address: ${at}`,
      `address: ${at}, fingerprint: "${Array.from({ length: 32 }, () => '07').join(':')}"`,
    );
    const { refuses, asked } = await aBench({ file, standings: { [at]: [maintenance] } });
    const problem = await refuses('talos.configure', { machine, ref: undefined });
    expect(problem.message).toMatch(
      /^prod-cp-0 at 10.9.0.7 shows the fingerprint 00:00:00, and the file pins 07:07:.*Nothing was sent to it\.$/,
    );
    expect(asked).toEqual([]);
  });

  test('is remembered before it is given, where nobody else knows of the machine', async () => {
    const file = twoMachines({ cp: at, worker: '10.9.0.8' });
    const order: string[] = [];
    const apply = async () => {
      order.push(`apply after ${JSON.stringify(bench.store.remembered?.configured)}`);
      return applied;
    };
    const bench = await aBench({ file, standings: { [at]: [maintenance] }, nodes: { [at]: { apply } } });
    await bench.does('talos.configure', { machine, ref: undefined });
    expect(order).toEqual(['apply after {"prod-cp-0":{"address":"10.9.0.7","role":"control-plane"}}']);
  });

  test('whose answer is lost is looked for, and not given again', async () => {
    const nodes = { [at]: { systemUuid: async () => undefined, apply: () => Promise.reject(lost) } };
    const took = { [at]: [maintenance, maintenance, absent] };
    const taken = await aBench({ reader: told(at), standings: took, nodes });
    await taken.does('talos.configure', { machine, ref });
    expect(taken.asked.filter((each) => each === 'apply')).toEqual(['apply']);
    const never = await aBench({ reader: told(at), standings: { [at]: [maintenance] }, nodes });
    expect(await never.refuses('talos.configure', { machine, ref })).toBe(lost);
    expect(never.asked.filter((each) => each === 'apply')).toEqual(['apply']);
  });
});

describe('a machine that is to be up', () => {
  const status = (stage: MachineStatus['stage']): MachineStatus => ({ stage, ready: false, unmet: [] });
  const etcd = (state: string): readonly ServiceState[] => [
    { id: 'etcd', state, health: 'unknown', message: '', events: [] },
  ];

  test('is up when its boot is done, or waits for etcd alone', async () => {
    for (const [stage, state] of [
      ['running', 'Running'],
      ['booting', 'Preparing'],
    ] as const) {
      const machineStatus = sequence<MachineStatus>(lost, status('booting'), status(stage));
      const services = sequence(etcd('Waiting'), etcd(state));
      const node = { machineStatus, services, systemUuid: async () => undefined };
      const { does, told: said } = await aBench({ reader: told(at), nodes: { [at]: node } });
      await does('talos.await-up', { machine, ref });
      expect(said.at(-1)).toBe('prod-cp-0 (VM 401 on pve1) to be up: it is booting');
    }
  });

  test('that was just started is waited for until it has an address', async () => {
    const node = { machineStatus: async () => status('running'), systemUuid: async () => undefined };
    const address = sequence<string | undefined>(undefined, undefined, at);
    const { does, told: said } = await aBench({
      reader: { address, machines: async () => seen(vm(machine)) },
      nodes: { [at]: node },
    });
    await does('talos.await-up', { machine, ref });
    expect(said).toEqual(['the address of prod-cp-0 (VM 401 on pve1): it has no address yet']);
  });

  test('that fell back into maintenance mode is left to the next pass', async () => {
    const still = new Problem('talos-still-maintenance', 'still', { recovery: 'wait' });
    const node = { machineStatus: () => Promise.reject(still) };
    const { refuses } = await aBench({ reader: told(at), nodes: { [at]: node } });
    const problem = await refuses('talos.await-up', { machine, ref });
    expect([problem.code, problem.recovery]).toEqual(['machine-still-maintenance', 'wait']);
  });
});

describe('a reset', () => {
  const version = (platform: string) => async (): Promise<TalosVersion> => ({
    tag: 'v1.13.9',
    sha: '',
    arch: 'amd64',
    platform,
    mode: '',
  });
  const file = twoMachines({ cp: at, worker: '10.9.0.8' });
  const step = { machine, address: at };

  test('keeps Talos on the disk, and ends in maintenance mode', async () => {
    const requests: unknown[] = [];
    const node = {
      version: version('metal'),
      hostname: async () => machine,
      reset: async (request: unknown) => void requests.push(request),
    };
    const standings = { [at]: [configured, configured, absent, maintenance] };
    const bench = await aBench({ file, nodes: { [at]: node }, standings });
    await bench.store.remember({
      platform: 'prod',
      bootstrap: undefined,
      configured: { [machine]: { address: at, role: 'control-plane' } },
      guarded: undefined,
    });
    await bench.does('talos.reset', step);
    await bench.does('talos.reset', step);
    expect(requests).toEqual([{ graceful: false, reboot: true, partitions: ['STATE', 'EPHEMERAL'] }]);
    expect(bench.store.remembered?.configured).toEqual({});
  });

  test('is not asked of a machine that is gone for good: it is forgotten, unless it answers again', async () => {
    const bench = await aBench({ file, standings: { [at]: [configured, absent] } });
    await bench.store.remember({
      platform: 'prod',
      bootstrap: undefined,
      configured: { [machine]: { address: at, role: 'control-plane' } },
      guarded: undefined,
    });
    expect((await bench.refuses('machine.forget', step)).code).toBe('machine-back');
    expect(Object.keys(bench.store.remembered?.configured ?? {})).toEqual([machine]);
    await bench.does('machine.forget', step);
    expect(bench.store.remembered?.configured).toEqual({});
  });

  test('of a container ends when it is down', async () => {
    const node = { version: version('container'), hostname: async () => 'any', reset: async () => {} };
    const bench = await aBench({ file, nodes: { [at]: node }, standings: { [at]: [configured, absent] } });
    await bench.does('talos.reset', step);
    expect(bench.told).toContain('prod-cp-0 runs in a container: it went down and is not wiped');
  });

  test('is refused where another machine of the file stands', async () => {
    const node = { version: version('metal'), hostname: async () => 'prod-general-0' };
    const bench = await aBench({ file, nodes: { [at]: node }, standings: { [at]: [configured] } });
    expect((await bench.refuses('talos.reset', step)).message).toBe(
      'At 10.9.0.7 stands prod-general-0, and not prod-cp-0. Nothing was done to it.',
    );
  });

  test('whose answer is lost is asked for again only by who looked in vain', async () => {
    const node = { version: version('metal'), hostname: async () => machine, reset: () => Promise.reject(lost) };
    const bench = await aBench({ file, nodes: { [at]: node }, standings: { [at]: [configured] } });
    expect(await bench.refuses('talos.reset', step)).toBe(lost);
    expect(bench.asked.filter((each) => each === 'reset')).toEqual(['reset']);
  });
});

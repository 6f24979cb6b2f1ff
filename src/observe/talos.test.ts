import { expect, test } from 'vitest';
import { vm } from '../../test/execute/bench.ts';
import { fakeNode, opens, probes } from '../../test/fake-talos.ts';
import { known } from '../model/seen.ts';
import { lookAtTalos } from './talos.ts';

const machine = vm('prod-cp-0');
const at = '10.9.0.7';

const answered = (uuid: string | undefined) => {
  const node = fakeNode({
    version: async () => ({ tag: 'v1.13.9', sha: '', arch: '', platform: '', mode: '' }),
    machineStatus: async () => ({ stage: 'running', ready: true, unmet: [] }),
    hostname: async () => 'prod-general-0',
    machineConfig: async () => '',
    list: async () => [],
    systemUuid: async () => uuid,
  });
  return lookAtTalos(
    { vm: known(machine), address: at },
    { access: { kind: 'mutual', ca: '', crt: '', key: '' }, changesIn: async () => known([]) },
    { open: opens({ [at]: node }), probe: probes({ kind: 'absent', because: '' }) },
    AbortSignal.timeout(5000),
  );
};

test('what answers at the address of a machine is not that machine when its UUID is another one', async () => {
  expect(await answered('uuid-of-somebody')).toEqual({
    kind: 'unknown',
    because: 'another machine answers at 10.9.0.7: prod-general-0, whose UUID is uuid-of-somebody',
  });
  expect(await answered(machine.mark.uuid.toUpperCase())).toMatchObject({ kind: 'known', value: { kind: 'ours' } });
  expect(await answered(undefined)).toMatchObject({ kind: 'known', value: { kind: 'ours' } });
});

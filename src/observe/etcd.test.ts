import { expect, test } from 'vitest';
import { known, type Seen } from '../model/seen.ts';
import type { Memory, TalosWorld, WorldMachine, WorldMember } from '../model/world.ts';
import { lookAtEtcd } from './etcd.ts';

const plane = (talos: TalosWorld): WorldMachine => ({
  name: 'cp-0',
  role: 'control-plane',
  wanted: true,
  vm: undefined,
  address: undefined,
  talos: known(talos),
});
const access = { kind: 'mutual', ca: '', crt: '', key: '' } as const;
const open = (): never => {
  throw new Error('Nobody is asked.');
};

const look = (talos: TalosWorld, bootstrap: Memory['bootstrap']): Promise<Seen<readonly WorldMember[]>> => {
  const memory = { platform: 'p', bootstrap, configured: {}, guarded: undefined };
  const machines = [plane(talos)];
  const whose = { machines, hostname: () => undefined };
  return lookAtEtcd(machines, { access, memory, whose }, { open }, AbortSignal.timeout(1000));
};

test('a control plane without power may have etcd, where somebody remembers that it began', async () => {
  const begun = { machine: 'cp-0', chosenAt: '2026-11-17T12:00:00Z', members: ['cp-0'] };
  expect(await look({ kind: 'off' }, begun)).toEqual({
    kind: 'unknown',
    because: 'cp-0 may have it, and has no power',
  });
  expect(await look({ kind: 'off' }, undefined)).toEqual(known([]));
  expect(await look({ kind: 'maintenance', version: undefined, fingerprint: 'AA' }, begun)).toEqual(known([]));
});

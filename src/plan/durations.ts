import type { Step, StepKind } from '../model/step.ts';

/** What a step takes on ordinary hardware, so that a plan can say how long it will be. Never a deadline. */
const usualMs: Readonly<Record<StepKind, number>> = {
  'secrets.make': 500,
  'secrets.delete': 100,
  'image.ensure': 45_000,
  'machine.create': 8_000,
  'machine.start': 3_000,
  'machine.resize': 3_000,
  'machine.stop': 3_000,
  'machine.eject': 1_500,
  'machine.delete': 4_000,
  'machine.forget': 2_000,
  'machines.guard': 2_000,
  'talos.reach': 25_000,
  'talos.configure': 2_000,
  'talos.await-up': 45_000,
  'talos.reconfigure': 2_000,
  'talos.upgrade': 150_000,
  'talos.shutdown': 20_000,
  'talos.reset': 60_000,
  'etcd.bootstrap': 2_000,
  'etcd.await-member': 15_000,
  'etcd.leave': 3_000,
  'etcd.remove': 1_000,
  'kubernetes.await-api': 40_000,
  'kubernetes.await-server': 30_000,
  'kubernetes.await-kubelet': 20_000,
  'cni.install': 30_000,
  'node.await-ready': 30_000,
  'cluster.await-healthy': 3_000,
  'node.drain': 30_000,
  'node.uncordon': 500,
  'node.delete': 500,
  'artifacts.write': 500,
  'cluster.forget': 200,
};

const rebootMs = 30_000;

export const expectedMsOf = (step: Step): number =>
  usualMs[step.kind] + (step.kind === 'talos.reconfigure' && step.reboot ? rebootMs : 0);

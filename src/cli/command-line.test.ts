import { expect, test } from 'vitest';
import { aboutTheSame } from './command-line.ts';

const flags: Readonly<Record<string, readonly string[]>> = {
  up: ['--file', '--var-file', '--set', '--only', '--workspace', '--yes'],
  place: ['--file', '--set', '--hosts'],
  unlock: ['--workspace'],
};
const typed = { file: ['prod.yaml'], set: ['a.b=s3cret'], only: 'prod', workspace: 'blue' };
const again = (remedy: string, options: Parameters<typeof aboutTheSame>[1] = typed): string =>
  aboutTheSame(remedy, options, (command) => flags[command]);

test.each<[remedy: string, said: string]>([
  ['Look:\n    ichor place', "Look:\n    ichor place -f prod.yaml --set 'a.b=…'"],
  [
    'Wait.\n    ichor up --only other --yes',
    "Wait.\n    ichor up -f prod.yaml --set 'a.b=…' --workspace blue --only other --yes",
  ],
  [
    'Both:\n    ichor unlock && ichor place -f x',
    "Both:\n    ichor unlock --workspace blue && ichor place --set 'a.b=…' -f x",
  ],
  ['ichor place is not on a line of its own', 'ichor place is not on a line of its own'],
  ['Elsewhere:\n    qm start 401', 'Elsewhere:\n    qm start 401'],
  ['Nothing:\n    ichor lab status', 'Nothing:\n    ichor lab status'],
  [
    'Talos:\n    ichor talos dmesg -n 10.0.0.1 && ichor talos gen',
    'Talos:\n    ichor talos dmesg -n 10.0.0.1 --talosconfig talos-blue/talosconfig && ichor talos gen',
  ],
])('a remedy is about the platform that was meant: %j', (remedy, said) => {
  expect(again(remedy)).toBe(said);
});

test('where the usual file was meant, nothing is added', () => {
  const remedy = 'Look:\n    ichor place && ichor up && ichor talos dmesg';
  expect(again(remedy, { file: ['platform.yaml'], workspace: 'default' })).toBe(remedy);
});

test('kubectl is told which cluster is meant, and files are those of the workspace', () => {
  const flagsOf = () => undefined;
  const remedy = 'Put talos/secrets.yaml back, or look:\n    kubectl get nodes\n    kubectl --kubeconfig x get nodes';
  expect(aboutTheSame(remedy, { workspace: 'default' }, flagsOf)).toBe(
    'Put talos/secrets.yaml back, or look:\n    kubectl --kubeconfig talos/kubeconfig get nodes\n    kubectl --kubeconfig x get nodes',
  );
  expect(aboutTheSame(remedy, { workspace: 'blue' }, flagsOf)).toBe(
    'Put talos-blue/secrets.yaml back, or look:\n    kubectl --kubeconfig talos-blue/kubeconfig get nodes\n    kubectl --kubeconfig x get nodes',
  );
  expect(aboutTheSame(remedy, {}, flagsOf)).toBe(remedy);
  expect(aboutTheSame('see https://www.talos/x', { workspace: 'blue' }, flagsOf)).toBe('see https://www.talos/x');
});

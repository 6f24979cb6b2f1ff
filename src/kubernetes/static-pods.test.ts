import { expect, test } from 'vitest';
import type { Live } from './live.ts';
import { staticPodsLack } from './static-pods.ts';

const wanted = [
  { name: 'kube-apiserver', annotations: { 'talos.dev/config-version': '2', 'talos.dev/secrets-version': '1' } },
  { name: 'kube-scheduler', annotations: { 'talos.dev/config-version': '1' } },
];
const pod = (name: string, config: string, ready: string | undefined, more: Record<string, string> = {}): Live => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    annotations: { 'talos.dev/config-version': config, 'kubernetes.io/config.hash': '5dd2ae', ...more },
  },
  status: ready === undefined ? {} : { conditions: [{ type: 'Ready', status: ready }] },
});
const secrets = { 'talos.dev/secrets-version': '1' };
const scheduler = pod('kube-scheduler-cp-0', '1', 'True');

test.each<[what: string, pods: readonly Live[], missing: readonly string[]]>([
  ['everything runs as it is configured', [pod('kube-apiserver-cp-0', '2', 'True', secrets), scheduler], []],
  [
    'the kubelet has not asked yet: the old one is ready',
    [pod('kube-apiserver-cp-0', '1', 'True', secrets), scheduler],
    ['kube-apiserver does not run with its new configuration yet'],
  ],
  [
    'other certificates are another pod, too',
    [pod('kube-apiserver-cp-0', '2', 'True', { 'talos.dev/secrets-version': '0' }), scheduler],
    ['kube-apiserver does not run with its new configuration yet'],
  ],
  [
    'the new one has just been made',
    [pod('kube-apiserver-cp-0', '2', undefined, secrets), scheduler],
    ['kube-apiserver is not ready'],
  ],
  [
    'those of another node do not count',
    [pod('kube-apiserver-cp-1', '2', 'True', secrets), scheduler],
    ['kube-apiserver does not run with its new configuration yet'],
  ],
])('%s', (_, pods, missing) => {
  expect(staticPodsLack('cp-0', wanted, pods)).toEqual(missing);
});

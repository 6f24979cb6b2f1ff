import { startTalosLab } from '../../../src/lab/talos/lab.ts';
import { conformance } from './suite.ts';

const places = {
  maintenance: { name: 'm1', address: '127.61.0.9' },
  controlPlane: { name: 'cp1', address: '127.61.0.11' },
  worker: { name: 'w1', address: '127.61.0.12' },
};

const quick = {
  boot: 20,
  reset: 20,
  etcdStart: 20,
  etcdHealthy: 20,
  kubelet: 20,
  controlPlane: 20,
  nodeReady: 20,
  imagePull: 20,
};

conformance({
  name: 'the twin',
  startTimeoutMs: 30_000,
  start: async () => {
    const lab = await startTalosLab({ durations: quick });
    for (const { name, address } of Object.values(places)) {
      const twin = await lab.add({ address, dhcpHostname: name, platform: 'container', version: 'v1.13.9' });
      twin.fail({ kind: 'missing-image', image: 'siderolabs/nope' });
    }
    return {
      kind: 'twin',
      ...places,
      nobody: '127.61.0.99',
      extraDocuments: '',
      patienceMs: 200,
      limitMs: 5000,
      [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
    };
  },
});

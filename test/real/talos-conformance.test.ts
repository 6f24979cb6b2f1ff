import { conformance } from '../conformance/talos/suite.ts';
import { mirrors, startNodeLand } from './nodes.ts';
import { buildTimeoutMs } from './peers.ts';

conformance({
  name: 'real nodes',
  startTimeoutMs: buildTimeoutMs,
  start: async () => {
    const land = await startNodeLand({ kubernetes: true });
    const addresses = { maintenance: '10.61.0.9', controlPlane: '10.61.0.11', worker: '10.61.0.12' };
    await land.up('m1', addresses.maintenance);
    await land.up('cp1', addresses.controlPlane);
    await land.up('w1', addresses.worker);
    return {
      kind: 'real',
      maintenance: { name: 'm1', address: addresses.maintenance },
      controlPlane: { name: 'cp1', address: addresses.controlPlane },
      worker: { name: 'w1', address: addresses.worker },
      nobody: '10.61.0.99',
      extraDocuments: mirrors,
      patienceMs: 1000,
      limitMs: 20_000,
      [Symbol.asyncDispose]: () => land[Symbol.asyncDispose](),
    };
  },
});

import { afterAll, beforeAll, describe, test } from 'vitest';
import { startTalosLab } from '../../../src/lab/talos/lab.ts';
import type { TalosTwin } from '../../../src/lab/talos/twin.ts';
import { beyondContainers } from './beyond-containers.ts';
import { beforeStage } from './stages.ts';
import { makeWorld, type World } from './world.ts';

const quick = { boot: 20, reboot: 20, reset: 20, install: 20, upgrade: 20, shutdown: 20, imagePull: 20, kubelet: 20 };
const place = { name: 'cp1', address: '127.61.2.11' };
const worker = { name: 'w1', address: '127.61.2.12' };

describe('the Talos API of a machine, on the twin alone', () => {
  const undo: AsyncDisposable[] = [];
  let world: World;
  let twin: TalosTwin;
  let held = 0;

  beforeAll(async () => {
    const lab = await startTalosLab({ durations: quick });
    undo.unshift(lab);
    const options = { platform: 'metal', version: 'v1.13.9', boot: 'disk' } as const;
    twin = await lab.add({ ...options, address: place.address, dhcpHostname: place.name });
    await lab.add({ ...options, address: worker.address, dhcpHostname: worker.name });
    world = await makeWorld({
      kind: 'twin',
      maintenance: worker,
      controlPlane: place,
      worker,
      nobody: '127.61.2.99',
      extraDocuments: '',
      patienceMs: 200,
      limitMs: 20_000,
    });
    undo.unshift(world);
    await beforeStage.maintenance(world);
    await beforeStage.configured(world);
  }, 60_000);

  afterAll(async () => {
    for (const thing of undo) await thing[Symbol.asyncDispose]();
    process.stderr.write(
      `conformance: ${held} of ${beyondContainers.length} held on the twin alone; no container shows them\n`,
    );
  });

  for (const { name, because, run } of beyondContainers)
    test(`${name} (${because})`, async () => {
      await run(world, twin);
      held += 1;
    });
});

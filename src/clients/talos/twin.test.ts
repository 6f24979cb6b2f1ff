import { afterAll, beforeAll, expect, test } from 'vitest';
import { aStory, type Story } from '../../../test/talos/story.ts';
import { startTalosLab } from '../../lab/talos/lab.ts';
import { quickDurations } from '../../lab/talos/node/hardware.ts';
import type { TalosLab } from '../../lab/talos/twin.ts';
import type { TalosNode } from '../talos.ts';
import { openTalos } from './node.ts';
import { probeTalos } from './probe.ts';

let story: Story;
let lab: TalosLab;
const plane = '127.77.1.1';
beforeAll(async () => {
  story = await aStory([plane], ['127.77.1.2']);
  lab = await startTalosLab({ durations: quickDurations });
  await lab.add({ address: plane, boot: 'disk' });
});
afterAll(() => lab[Symbol.asyncDispose]());
const patient = AbortSignal.timeout(60_000);
test("x", async () => {
  console.log([...story.configs.keys()]);
  console.log(await probeTalos({ host: plane }, patient));
  {
    await using node: TalosNode = openTalos({ host: plane, access: { kind: 'maintenance' } });
    console.log(await node.version(patient), await node.disks(patient), node.fingerprint());
    console.log(await node.apply(story.configs.get('cp-0') ?? '', { mode: 'auto' }, patient));
  }
  await using node: TalosNode = openTalos({ host: plane, access: await story.access() });
  await expect.poll(() => node.version(patient).catch((e: Error) => e.message)).toMatchObject({});
  console.log(await node.version(patient), await node.services(patient));
});

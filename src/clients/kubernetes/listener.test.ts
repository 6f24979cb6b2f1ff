import { expect, test } from 'vitest';
import type { KubeObject } from '../../wire/kubernetes/objects.ts';
import { Listener } from './listener.ts';

const ticks = async (count: number): Promise<void> => {
  for (let tick = 0; tick < count; tick++) await Promise.resolve();
};

const object = (resourceVersion: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', uid: '1', resourceVersion: String(resourceVersion) },
});

test('a change that comes at any moment of the one before is heard, however long a handler takes', async () => {
  for (let slow = 0; slow < 8; slow++)
    for (let gap = 0; gap < 20; gap++) {
      let current = object(1);
      let heard: string | undefined;
      const listener = new Listener(
        async (change) => {
          await ticks(slow);
          heard = change.object.metadata.resourceVersion;
        },
        () => current,
        (error) => expect.fail(String(error)),
      );
      listener.changed('x', undefined);
      await ticks(gap);
      const old = current;
      current = object(2);
      listener.changed('x', old);
      await listener.idle();
      expect([slow, gap, heard]).toEqual([slow, gap, '2']);
    }
});

import { expect, test } from 'vitest';
import { buildTimeoutMs } from './peers.ts';
import { startNodeLand } from './nodes.ts';
import { sh, tryTo } from '../../src/lab/real/shell.ts';

test('a node comes up, survives a power failure, and leaves nothing behind', { timeout: buildTimeoutMs }, async () => {
  {
    await using land = await startNodeLand({ kubernetes: false });
    const node = await land.up('n1', '10.61.0.9');
    await node.kill();
    await node.start();
    expect(await node.console()).toContain('nodebox: boot 1 of n1');
    expect(await sh('ip', 'netns', 'list')).toContain('ichor-n1');
  }
  expect(await sh('ip', 'netns', 'list')).not.toContain('ichor-n1');
  expect(await tryTo('ip', 'link', 'show', 'ichor-real')).toBeUndefined();
});

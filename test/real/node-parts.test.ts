import { expect, test } from 'vitest';
import { findParts } from '../../src/lab/real/parts.ts';
import { buildNodeParts } from './node-parts.ts';
import { buildTimeoutMs } from './peers.ts';

test(
  'what real nodes are made of is built, and ichor lab start --guests real finds it',
  async () => {
    const built = await buildNodeParts();
    expect(await findParts()).toEqual(built);
  },
  buildTimeoutMs,
);

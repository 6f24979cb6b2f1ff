import { describe, test } from 'vitest';
import { conformance } from '../../../src/providers/conformance.ts';
import { life } from '../../../src/providers/conformance-life.ts';
import { wholeSweeps } from '../../sweep.ts';
import { proxmoxWorld } from '../../proxmox/world.ts';

describe.concurrent.each([
  ['9.2', conformance],
  // What an older one does differently is in a machine’s life; the rest is looked at where there is time.
  ['8.4', wholeSweeps ? conformance : life],
] as const)('the lab’s Proxmox VE %s', (version, cases) => {
  test.each(cases.map(({ name, run }) => [name, run] as const))('%s', async (_, run) => {
    await using world = await proxmoxWorld({ version });
    await run(world, AbortSignal.timeout(60_000));
  });
});

import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { chooseNetwork } from './lab-network.ts';

test('where somebody is, the next network is taken, unless that one was asked for', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => {
    // Whoever listens there already does as well.
    server.once('error', () => resolve());
    server.listen(8080, '127.0.64.1', resolve);
  });
  onTestFinished(() => void server.close());
  const wish = { hosts: 3, mapped: false };
  const { cidr, insteadOf } = await chooseNetwork(wish);
  expect([cidr === '127.0.64.0/24', insteadOf]).toEqual([false, '127.0.64.0/24']);
  await expect(chooseNetwork({ ...wish, network: '127.0.64.0/24' })).rejects.toMatchObject({
    code: 'lab-network-taken',
    message: 'Somebody listens on 127.0.64.1:8080 already, so that there is no place in 127.0.64.0/24.',
  });
});

test('many hosts need a larger network', async () => {
  expect(await chooseNetwork({ hosts: 500, mapped: true })).toEqual({ cidr: '127.1.0.0/20' });
});

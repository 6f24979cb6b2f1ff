import { expect, test } from 'vitest';
import type { TalosAccess, TalosNode } from '../talos.ts';
import { keepOpen } from './kept.ts';

const admin: TalosAccess = { kind: 'mutual', ca: 'ca', crt: 'crt', key: 'key' };
const other: TalosAccess = { ...admin };

function aKeeper() {
  const happened: string[] = [];
  const keeper = keepOpen(({ host, access }) => {
    const name = `${host} ${access.kind}`;
    happened.push(`open ${name}`);
    return { [Symbol.asyncDispose]: async () => void happened.push(`close ${name}`) } as unknown as TalosNode;
  });
  const use = async (host: string, access: TalosAccess): Promise<void> => {
    await using _node = keeper.open({ host, access });
  };
  return { happened, keeper, use };
}

test('a node that is asked again as the same person is opened once, and closed at the end', async () => {
  const { happened, keeper, use } = aKeeper();
  for (const host of ['a', 'b', 'a']) await use(host, admin);
  await use('a', other);
  expect(happened).toEqual(['open a mutual', 'open b mutual', 'open a mutual']);
  await keeper[Symbol.asyncDispose]();
  expect(happened.slice(3).toSorted()).toEqual(['close a mutual', 'close a mutual', 'close b mutual']);
});

test('nodes in maintenance mode, and those that are too many, are closed by whoever opened them', async () => {
  const { happened, keeper, use } = aKeeper();
  await use('a', { kind: 'maintenance' });
  expect(happened).toEqual(['open a maintenance', 'close a maintenance']);
  for (let count = 0; count < 513; count++) await use(`n${count}`, admin);
  expect(happened.filter((each) => each.startsWith('close'))).toEqual(['close a maintenance', 'close n512 mutual']);
  await keeper[Symbol.asyncDispose]();
  expect(happened.filter((each) => each.startsWith('close'))).toHaveLength(514);
});

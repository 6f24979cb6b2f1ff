import { expect, test } from 'vitest';
import { fakeNode, gathered, namedNodes, opens } from '../../test/fake-talos.ts';
import { Problem } from '../model/problem.ts';
import { askNodes, inTurn, streamNode, together, type NodeItem } from './talos-nodes.ts';

const never = new AbortController().signal;

test('answers stand in the order of the nodes, and one that fails does not silence the others', async () => {
  const gone = new Problem('unreachable', 'Nobody answers.');
  let answer: (hostname: string) => void = () => {};
  const slow = new Promise<string>((resolve) => (answer = resolve));
  const open = opens({
    a: fakeNode({ hostname: () => slow }),
    b: fakeNode({ hostname: () => Promise.reject(gone) }),
    c: fakeNode({
      hostname: () => {
        answer('cp-0');
        return Promise.resolve('worker-0');
      },
    }),
  });
  const answers = await askNodes(namedNodes('a', 'b', 'c'), open, (node, signal) => node.hostname(signal), never);
  expect(answers).toEqual([
    { node: 'a', answer: 'cp-0' },
    { node: 'b', problem: gone },
    { node: 'c', answer: 'worker-0' },
  ]);
});

test('a bug is no answer of a node', async () => {
  const open = opens({ a: fakeNode({ hostname: () => Promise.reject(new TypeError('a bug')) }) });
  await expect(askNodes(namedNodes('a'), open, (node, signal) => node.hostname(signal), never)).rejects.toThrow(
    'a bug',
  );
});

const lines = (...texts: readonly string[]) =>
  fakeNode({
    async *logs() {
      for (const text of texts) yield await Promise.resolve(new TextEncoder().encode(text));
    },
  });

const logsOf = (names: readonly string[], open: ReturnType<typeof opens>) =>
  namedNodes(...names).map((node) =>
    streamNode(node, open, (each, signal) => each.logs({ id: 'etcd' }, signal), never),
  );

const words = async (items: AsyncIterable<NodeItem<Uint8Array>>) =>
  (await gathered(items)).map(
    ({ node, item, problem }) => `${node} ${item ? new TextDecoder().decode(item) : problem?.code}`,
  );

test('what has an end is shown node by node', async () => {
  const open = opens({ a: lines('1', '2'), b: lines('3') });
  expect(await words(inTurn(logsOf(['a', 'b'], open)))).toEqual(['a 1', 'a 2', 'b 3']);
});

test('what has none is shown as it comes, and a node that fails does not end the others', async () => {
  const open = opens({
    a: lines('1', '2', '3'),
    b: fakeNode({
      // oxlint-disable-next-line require-yield
      async *logs() {
        await Promise.resolve();
        throw new Problem('unreachable', 'Gone.');
      },
    }),
  });
  expect(await words(together(logsOf(['a', 'b'], open)))).toEqual(['a 1', 'b unreachable', 'a 2', 'a 3']);
});

test('who has seen enough ends every stream', async () => {
  let ended = 0;
  const endless = fakeNode({
    async *logs() {
      try {
        for (;;) yield await Promise.resolve(new Uint8Array([46]));
      } finally {
        ended++;
      }
    },
  });
  for await (const _ of together(logsOf(['a', 'b'], opens({ a: endless, b: endless })))) break;
  expect(ended).toBe(2);
});

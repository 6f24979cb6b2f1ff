import type { Terminal } from '../terminal.ts';

/** A document for programs: on one line where every line is one. What it says to type is about the platform that was meant. */
export const jsonText = (
  value: unknown,
  output: 'json' | 'jsonl',
  { again = (remedy) => remedy }: Pick<Terminal, 'again'>,
): string =>
  `${JSON.stringify(
    value,
    (key, each: unknown) => (key === 'remedy' && typeof each === 'string' ? again(each) : each),
    output === 'json' ? 2 : 0,
  )}\n`;

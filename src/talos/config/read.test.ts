import { describe, expect, test } from 'vitest';
import { Problems } from '../../model/problem.ts';
import type { Contract } from './contract.ts';
import { readConfig } from './read.ts';

const refusal = (text: string, contract: Contract = '1.13'): readonly string[] => {
  try {
    readConfig(text, 'node.yaml', contract);
  } catch (error) {
    if (!(error instanceof Problems)) throw error;
    return error.problems.map(
      ({ code, message, at, remedy }) => `${at?.file}:${at?.line}:${at?.column} ${code}: ${message} | ${remedy}`,
    );
  }
  return ['accepted'];
};

describe('a configuration is read', () => {
  test('with the v1alpha1 document first, and values as Talos takes them', () => {
    const text =
      'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: off\n---\n# nothing\n---\nmachine:\n  type: worker\n  sysctls: { a: 1 }\n  network: null\n';
    expect(readConfig(text, 'node.yaml', '1.13')).toEqual([
      { machine: { type: 'worker', sysctls: { a: '1' } } },
      { apiVersion: 'v1alpha1', kind: 'HostnameConfig', auto: 'off' },
    ]);
  });

  test.each([
    ['nothing', '# nothing\n', ['node.yaml:1:1 no-config: There is no machine configuration here. | ']],
    [
      'no kind',
      'version: v1alpha1\n',
      [
        'node.yaml:1:1 missing-kind: This document has neither a kind nor machine or cluster. | Give apiVersion and kind, or put the fields under machine or cluster.',
      ],
    ],
    [
      'another apiVersion',
      'apiVersion: v1\nkind: HostnameConfig\n',
      [
        'node.yaml:1:13 unknown-api-version: A document of Talos has apiVersion: v1alpha1. | Write apiVersion: v1alpha1.',
      ],
    ],
    [
      'no apiVersion',
      'kind: HostnameConfig\n',
      [
        'node.yaml:1:7 missing-api-version: A document of Talos has apiVersion: v1alpha1. | Write apiVersion: v1alpha1.',
      ],
    ],
    [
      'a list',
      '- a\n',
      ['node.yaml:1:1 wrong-type: A document must be a mapping. | Write fields of a machine configuration.'],
    ],
    [
      'several at once',
      'machine:\n  typ: worker\n  install: { wipe: maybe }\n',
      [
        'node.yaml:2:3 unknown-key: There is no "typ" in machine. | Did you mean "type"?',
        'node.yaml:3:20 wrong-type: machine.install.wipe must be true or false. | Write true or false.',
      ],
    ],
    [
      'two of a name',
      'apiVersion: v1alpha1\nkind: LinkConfig\nname: a\n---\napiVersion: v1alpha1\nkind: LinkConfig\nname: a\n',
      [
        'node.yaml:5:1 duplicate-document: There are two documents for LinkConfig "a". | Put their fields into one document.',
      ],
    ],
    [
      'two names',
      'apiVersion: v1alpha1\nkind: LinkConfig\nname: a\n---\napiVersion: v1alpha1\nkind: LinkConfig\nname: b\n',
      ['accepted'],
    ],
    [
      'a number too large',
      'apiVersion: v1alpha1\nkind: VLANConfig\nname: a\nvlanID: 70000\n',
      [
        'node.yaml:4:9 wrong-type: VLANConfig.a.vlanID must be a whole number from 0 to 65535. | Write a whole number from 0 to 65535.',
      ],
    ],
    [
      'a duration without unit',
      'machine: { time: { bootTimeout: 30 } }\n',
      [
        'node.yaml:1:33 wrong-type: machine.time.bootTimeout must be a duration such as 1h30m. | Write a duration such as 1h30m.',
      ],
    ],
  ])('%s', (_, text, said) => {
    expect(refusal(text)).toEqual(said);
  });

  test('by the kinds of its contract', () => {
    const text = 'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n';
    expect({ old: refusal(text, '1.11'), now: refusal(text, '1.12') }).toEqual({
      old: [expect.stringContaining('Talos 1.11 has no kind "HostnameConfig".')],
      now: ['accepted'],
    });
  });
});

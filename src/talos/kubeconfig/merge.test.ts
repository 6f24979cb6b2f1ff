import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { sweep } from '../../../test/sweep.ts';
import { mergeKubeconfig } from './merge.ts';
import type { Conflict } from './names.ts';
import { readKubeconfig } from './read.ts';

type Part = {
  readonly cluster: string;
  readonly ca: string;
  readonly user?: string;
  readonly context?: string;
  readonly token: string;
};

/** A kubeconfig of clusters with one user and one context each. */
const fileOf = (parts: readonly Part[], current?: string): string =>
  stringify({
    apiVersion: 'v1',
    clusters: parts.map(({ cluster, ca }) => ({
      cluster: { 'certificate-authority-data': ca, server: 's' },
      name: cluster,
    })),
    contexts: parts.map(({ cluster, user = `admin@${cluster}`, context = user }) => ({
      context: { cluster, user },
      name: context,
    })),
    'current-context': current ?? '',
    kind: 'Config',
    users: parts.map(({ cluster, user = `admin@${cluster}`, token }) => ({ name: user, user: { token } })),
  });

const prod = (ca: string, token: string): Part => ({ cluster: 'prod', ca, token });
const added = fileOf([prod('ours', 'new')], 'admin@prod');

/** Every context as "name -> cluster (authority) user (token)", the current one with a star. */
function outline(text: string): readonly string[] {
  const { clusters, contexts, users, currentContext } = readKubeconfig(text, 'kubeconfig');
  return contexts.map(({ name, context }) => {
    const cluster = clusters.find((item) => item.name === context?.['cluster'])?.cluster;
    const user = users.find((item) => item.name === context?.['user'])?.user;
    const parts = [context?.['cluster'], cluster?.['certificate-authority-data'], context?.['user'], user?.['token']];
    return `${name === currentContext ? '*' : ''}${name} -> ${parts.join(' ')}`;
  });
}

describe('a cluster goes into', () => {
  test.each<[name: string, text: string, conflict: Conflict, outline: readonly string[]]>([
    ['nothing', '', 'renew', ['*admin@prod -> prod ours admin@prod new']],
    [
      'a file with another',
      fileOf([{ cluster: 'dev', ca: 'theirs', token: 'x' }]),
      'renew',
      ['admin@dev -> dev theirs admin@dev x', '*admin@prod -> prod ours admin@prod new'],
    ],
    ['a file that has it', fileOf([prod('ours', 'old')]), 'renew', ['*admin@prod -> prod ours admin@prod new']],
    [
      'a file where its name is another’s',
      fileOf([prod('theirs', 'old')]),
      'renew',
      ['admin@prod -> prod theirs admin@prod old', '*admin@prod-1 -> prod-1 ours admin@prod-1 new'],
    ],
    [
      'a file where its user is used with another cluster too',
      fileOf([prod('ours', 'old'), { cluster: 'dev', ca: 'theirs', user: 'admin@prod', context: 'dev', token: 'old' }]),
      'renew',
      [
        'admin@prod -> prod ours admin@prod old',
        'dev -> dev theirs admin@prod old',
        '*admin@prod-1 -> prod ours admin@prod-1 new',
      ],
    ],
    [
      'a file that has it, asked to rename',
      fileOf([prod('ours', 'old')]),
      'rename',
      ['admin@prod -> prod ours admin@prod old', '*admin@prod-1 -> prod ours admin@prod-1 new'],
    ],
    [
      'a file where its name is another’s, asked to overwrite',
      fileOf([prod('theirs', 'old')]),
      'overwrite',
      ['*admin@prod -> prod ours admin@prod new'],
    ],
  ])('%s', (_, text, conflict, expected) => {
    expect(outline(mergeKubeconfig({ text, file: 'config' }, added, conflict).text)).toEqual(expected);
  });
});

test('names that changed are told', () => {
  const { renames, context } = mergeKubeconfig({ text: fileOf([prod('theirs', 'old')]), file: 'config' }, added);
  expect({ renames, context }).toEqual({
    context: 'admin@prod-1',
    renames: [
      { section: 'clusters', from: 'prod', to: 'prod-1' },
      { section: 'users', from: 'admin@prod', to: 'admin@prod-1' },
      { section: 'contexts', from: 'admin@prod', to: 'admin@prod-1' },
    ],
  });
});

test.each<Conflict>(['renew', 'rename', 'overwrite'])('a second time changes nothing (%s)', (conflict) => {
  const once = mergeKubeconfig({ text: fileOf([prod('theirs', 'x')]), file: 'config' }, added, conflict);
  const current = readKubeconfig(once.text, 'config').currentContext.replace('admin@', '');
  const same = fileOf([{ cluster: current, ca: 'ours', token: 'new' }], `admin@${current}`);
  expect(mergeKubeconfig({ text: once.text, file: 'config' }, same, conflict)).toEqual({
    text: once.text,
    context: `admin@${current}`,
    renames: [],
  });
});

test('comments and fields that nobody knows stay', () => {
  const theirs =
    '# mine\nclusters:\n- name: dev # theirs\n  cluster: {server: s, new: 1}\npreferences: {colors: true}\n';
  const { text } = mergeKubeconfig({ text: theirs, file: 'config' }, added);
  expect(text.split('\n').slice(0, 3)).toEqual(['# mine', 'clusters:', '- name: dev # theirs']);
  expect(text).toContain('cluster: { server: s, new: 1 }');
  expect(text).toContain('preferences: { colors: true }');
});

test('a foreign context is never lost or changed', () => {
  const name = fc.constantFrom('prod', 'prod-1', 'dev', 'admin@prod', 'x');
  const part = fc.record({
    cluster: name,
    ca: fc.constantFrom('theirs', 'others', ''),
    token: fc.string({ maxLength: 4 }),
  });
  const distinct = fc.uniqueArray(part, { selector: ({ cluster }) => cluster });
  const property = fc.property(distinct, fc.constantFrom<Conflict>('renew', 'rename'), (parts, conflict) => {
    const text = fileOf(parts);
    const merged = outline(mergeKubeconfig({ text, file: 'config' }, added, conflict).text);
    expect(merged.filter((line) => !line.startsWith('*'))).toEqual(outline(text));
    expect(
      merged.filter((line) => line.startsWith('*')).map((line) => line.replace(/^.*(ours).*(new)$/, '$1 $2')),
    ).toEqual(['ours new']);
  });
  fc.assert(property, sweep('kubeconfigs merged', 100, 2000));
});

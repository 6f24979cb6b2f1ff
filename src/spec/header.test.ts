import { describe, expect, test } from 'vitest';
import { said } from '../../test/said.ts';

describe('a document', () => {
  test.each<[what: string, file: string, says: readonly string[]]>([
    [
      'that is text',
      'just text\n',
      [
        '1:1 not-a-resource: A document must be a mapping with apiVersion, kind, metadata and spec. | Write one to begin with:\n    ichor init',
      ],
    ],
    [
      'that is a list',
      '- a\n',
      [
        '1:1 not-a-resource: A document must be a mapping with apiVersion, kind, metadata and spec. | Write one to begin with:\n    ichor init',
      ],
    ],
    ['without kind', 'a: 1\n', ['1:1 missing: This document needs "kind". | Add "kind: Platform".']],
    [
      'without apiVersion',
      'kind: Substrate\n',
      ['1:1 missing: This document needs "apiVersion". | Add "apiVersion: ichor.dev/v1alpha1".'],
    ],
    [
      'of another version of ours',
      'apiVersion: ichor.dev/v2\nkind: Platform\n',
      [
        '1:13 unknown-value: "ichor.dev/v2" is not an apiVersion of Platform that ichor knows. | Use "ichor.dev/v1alpha1".',
      ],
    ],
    [
      'of another group',
      'apiVersion: v1\nkind: Substrate\n',
      ['1:13 unknown-value: "v1" is not an apiVersion of Substrate that ichor knows. | Use "ichor.dev/v1alpha1".'],
    ],
    [
      'of a kind we do not have',
      'apiVersion: ichor.dev/v1alpha1\nkind: Cluster\n',
      ['2:7 unknown-value: "Cluster" is not a kind that ichor knows. | Use Platform or Substrate.'],
    ],
    [
      'of a kind with a slip',
      'apiVersion: ichor.dev/v1alpha1\nkind: Platfrom\n',
      ['2:7 unknown-value: "Platfrom" is not a kind that ichor knows. | Did you mean "Platform"?'],
    ],
    [
      'of a kind of Viti with a slip',
      'apiVersion: vitistack.io/v1alpha1\nkind: KubernetesClusters\n',
      ['2:7 unknown-value: "KubernetesClusters" is not a kind that ichor knows. | Did you mean "KubernetesCluster"?'],
    ],
    [
      'of a kind of Viti that is left alone',
      'apiVersion: vitistack.io/v1alpha1\nkind: Machine\nmetadata: { name: x }\n',
      [
        '1:1 nothing-here: There is no Platform, Substrate or KubernetesCluster here, only vitistack.io/v1alpha1 Machine x. | Write one to begin with:\n    ichor init',
      ],
    ],
    [
      'of somebody else',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n',
      [
        '1:1 nothing-here: There is no Platform, Substrate or KubernetesCluster here, only v1 ConfigMap a. | Write one to begin with:\n    ichor init',
      ],
    ],
    [
      'of a kind that is no text',
      'apiVersion: vitistack.io/v1alpha1\nkind: .nan\nmetadata: { name: 1.50 }\n',
      [
        '1:1 nothing-here: There is no Platform, Substrate or KubernetesCluster here, only vitistack.io/v1alpha1 .nan 1.50. | Write one to begin with:\n    ichor init',
      ],
    ],
    [
      'of four others',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: d }\n',
      [
        '1:1 nothing-here: There is no Platform, Substrate or KubernetesCluster here, only v1 ConfigMap a, v1 ConfigMap b, v1 ConfigMap c, …. | Write one to begin with:\n    ichor init',
      ],
    ],
    [
      'whose version every object has',
      'apiVersion: constructor\nkind: Platform\n',
      [
        '1:13 unknown-value: "constructor" is not an apiVersion of Platform that ichor knows. | Use "ichor.dev/v1alpha1".',
      ],
    ],
    [
      'that is empty',
      '',
      ['1:1 empty-file: There is nothing in this file. | Write one to begin with:\n    ichor init'],
    ],
    [
      'that is a comment',
      '# nothing\n',
      ['1:1 empty-file: There is nothing in this file. | Write one to begin with:\n    ichor init'],
    ],
    [
      'that is there twice',
      'apiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: prod }\nspec:\n  machines: { proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1, pve2, pve3] } }\n---\napiVersion: ichor.dev/v1alpha1\nkind: Platform\nmetadata: { name: prod }\nspec:\n  machines: { proxmox: { endpoint: "https://pve1:8006", token: { env: TOKEN }, hosts: [pve1, pve2, pve3] } }\n',
      [
        '9:19 duplicate-document: Platform "prod" is already in this file. | Give it another name; an overlay belongs in a file of its own.',
      ],
    ],
  ])('%s', (_, file, says) => {
    expect(said(file)).toEqual(says);
  });
});

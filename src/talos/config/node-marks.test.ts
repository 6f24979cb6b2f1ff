import { describe, expect, test } from 'vitest';
import { at, controlPlane, documents, render } from '../../../test/talos-small.ts';

describe('nodes in Kubernetes', () => {
  const marks = {
    controlPlane: { labels: { tier: 'one' }, taints: ['a=b:NoSchedule', 'c:NoExecute'], annotations: { note: 'x' } },
    nodes: { 'cp-0': { labels: { zone: 'b' }, taints: ['a=z:NoExecute'] } },
  };
  const outside = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };

  test('labels, annotations and taints of the group, and the machine’s own over them', () => {
    const old = controlPlane('1.13', marks);
    expect([at(old, 'machine.nodeLabels'), at(old, 'machine.nodeAnnotations'), at(old, 'machine.nodeTaints')]).toEqual([
      { ...outside, tier: 'one', zone: 'b' },
      { note: 'x' },
      { a: 'z:NoExecute', c: 'NoExecute' },
    ]);
    expect(documents(controlPlane('1.14', marks), 'KubeNodeConfig')).toEqual([
      {
        nodeIP: {},
        labels: { 'node-role.kubernetes.io/control-plane': '', ...outside, tier: 'one', zone: 'b' },
        annotations: { note: 'x' },
        taints: { a: 'z:NoExecute', c: 'NoExecute', 'node-role.kubernetes.io/control-plane': 'NoSchedule' },
      },
    ]);
  });

  test('two taints of one key cannot be said', () => {
    const taints = ['a=b:NoSchedule', 'a=b:NoExecute'];
    expect(() => render('1.13', { controlPlane: { taints } })).toThrow(
      expect.objectContaining({ code: 'taint-twice' }),
    );
  });

  test('a control plane that runs workloads also serves traffic from outside', () => {
    const settings = { controlPlane: { schedulable: true } };
    const old = controlPlane('1.13', settings);
    expect([at(old, 'cluster.allowSchedulingOnControlPlanes'), at(old, 'machine.nodeLabels')]).toEqual([
      true,
      undefined,
    ]);
    expect(documents(controlPlane('1.14', settings), 'KubeNodeConfig')).toEqual([
      { nodeIP: {}, labels: { 'node-role.kubernetes.io/control-plane': '' } },
    ]);
  });
});

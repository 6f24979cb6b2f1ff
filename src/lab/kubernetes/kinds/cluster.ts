import type { Strategy } from '../resource.ts';
import { checkTaints } from './pod-checks.ts';
import { forbiddenField } from './errors.ts';
import { isEmpty, text, tree, trees, texts, within } from './tree.ts';

const nameLabel = 'kubernetes.io/metadata.name';

export const namespaceStrategy: Strategy = {
  defaults: (namespace) => {
    const meta = within(namespace, 'metadata');
    if (text(meta['name']) !== '') within(meta, 'labels')[nameLabel] = meta['name'];
  },
  prepareCreate: (namespace) => {
    const spec = within(namespace, 'spec');
    const meta = within(namespace, 'metadata');
    within(meta, 'labels')[nameLabel] = meta['name'];
    const finalizers = texts(spec['finalizers']);
    if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
    namespace['status'] = { phase: 'Active' };
  },
  /** Finalizers of a namespace go by its own subresource only. */
  prepareUpdate: (next, old, { subresource }) => {
    if (subresource !== 'finalize') next['spec'] = old['spec'];
  },
};

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

export const nodeStrategy: Strategy = {
  /** Nothing is put on a node before it has said that it is ready. */
  prepareCreate: (node) => {
    const spec = within(node, 'spec');
    const taints = trees(spec['taints']);
    if (!taints.some(({ key, effect }) => key === notReady.key && effect === notReady.effect)) {
      spec['taints'] = [...taints, { ...notReady }];
    }
  },
  validate: (node) => checkTaints('metadata.taints', trees(tree(node['spec'])['taints'])),
  validateUpdate: (next, old) => {
    const [after, before] = [tree(next['spec']), tree(old['spec'])];
    const isMoved = (name: string): boolean => !isEmpty(before[name]) && after[name] !== before[name];
    return [
      ...checkTaints('metadata.taints', trees(after['taints'])),
      ...(isMoved('podCIDR')
        ? [forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid')]
        : []),
      ...(isMoved('providerID')
        ? [forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid')]
        : []),
    ];
  },
};

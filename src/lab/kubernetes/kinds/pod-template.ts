import type { Strategy } from '../resource.ts';
import { checkPodSpec } from './pod-checks.ts';
import { tree } from './tree.ts';
import { defaultTemplate } from './workloads.ts';

export const withTemplate: Strategy = {
  defaults: defaultTemplate,
  validate: (object) => checkPodSpec('template.spec', tree(tree(object['template'])['spec'])),
  validateUpdate: (object) => checkPodSpec('template.spec', tree(tree(object['template'])['spec'])),
};

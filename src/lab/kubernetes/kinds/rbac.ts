import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { invalidValue, notSupported, oneOf, required } from './errors.ts';
import { fill, isEmpty, text, type Tree, tree, trees, within } from './tree.ts';

const group = 'rbac.authorization.k8s.io';

const checkRules = (of: KubeObject, namespaced: boolean): readonly FieldError[] =>
  trees(of['rules']).flatMap((rule, at) => {
    const field = `rules[${at}]`;
    const wrong: FieldError[] = [];
    if (isEmpty(rule['verbs'])) wrong.push(required(`${field}.verbs`, 'verbs must contain at least one value'));
    if (!isEmpty(rule['nonResourceURLs'])) {
      if (namespaced) {
        wrong.push(
          invalidValue(
            `${field}.nonResourceURLs`,
            rule['nonResourceURLs'],
            'namespaced rules cannot apply to non-resource URLs',
          ),
        );
      }
      if (!isEmpty(rule['apiGroups']) || !isEmpty(rule['resources']) || !isEmpty(rule['resourceNames'])) {
        wrong.push(
          invalidValue(
            `${field}.nonResourceURLs`,
            rule['nonResourceURLs'],
            'rules cannot apply to both regular resources and non-resource URLs',
          ),
        );
      }
      return wrong;
    }
    if (isEmpty(rule['apiGroups'])) {
      wrong.push(required(`${field}.apiGroups`, 'resource rules must supply at least one api group'));
    }
    if (isEmpty(rule['resources'])) {
      wrong.push(required(`${field}.resources`, 'resource rules must supply at least one resource'));
    }
    return wrong;
  });

const roles = (namespaced: boolean): Strategy => ({
  validate: (role) => checkRules(role, namespaced),
  validateUpdate: (role) => checkRules(role, namespaced),
});

export const roleStrategy = roles(true);
export const clusterRoleStrategy = roles(false);

function checkBinding(binding: KubeObject, namespaced: boolean): readonly FieldError[] {
  const roleRef = tree(binding['roleRef']);
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  return [
    ...oneOf('roleRef.apiGroup', roleRef['apiGroup'], [group]),
    ...(kinds.includes(text(roleRef['kind'])) ? [] : [notSupported('roleRef.kind', text(roleRef['kind']), kinds)]),
    ...(text(roleRef['name']) === '' ? [required('roleRef.name')] : []),
    ...trees(binding['subjects']).flatMap((subject, at) => checkSubject(`subjects[${at}]`, subject, namespaced)),
  ];
}

function checkSubject(
  field: string,
  { kind, name, namespace, apiGroup }: Tree,
  namespaced: boolean,
): readonly FieldError[] {
  const wrong: FieldError[] = text(name) === '' ? [required(`${field}.name`)] : [];
  switch (kind) {
    case 'ServiceAccount':
      if (text(apiGroup) !== '') wrong.push(notSupported(`${field}.apiGroup`, apiGroup, ['']));
      if (!namespaced && text(namespace) === '') wrong.push(required(`${field}.namespace`));
      return wrong;
    case 'User':
    case 'Group':
      return [...wrong, ...oneOf(`${field}.apiGroup`, apiGroup, [group])];
    default:
      return [...wrong, notSupported(`${field}.kind`, text(kind), ['ServiceAccount', 'User', 'Group'])];
  }
}

const bindings = (namespaced: boolean): Strategy => ({
  defaults: (binding) => {
    fill(within(binding, 'roleRef'), { apiGroup: group });
    for (const subject of trees(binding['subjects'])) {
      if (subject['kind'] === 'User' || subject['kind'] === 'Group') fill(subject, { apiGroup: group });
    }
  },
  validate: (binding) => checkBinding(binding, namespaced),
  validateUpdate: (next, old) => {
    const { apiGroup, kind, name } = tree(next['roleRef']);
    return [
      ...checkBinding(next, namespaced),
      ...(isDeepStrictEqual(next['roleRef'], old['roleRef'])
        ? []
        : [invalidValue('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef')]),
    ];
  },
});

export const roleBindingStrategy = bindings(true);
export const clusterRoleBindingStrategy = bindings(false);

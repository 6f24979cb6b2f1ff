import type { FieldError } from '../resource.ts';
import { dnsLabel, labelKey, subdomain } from '../verbs/names.ts';
import { checkContainers } from './container-checks.ts';
import { complain, duplicate, forbiddenField, invalidValue, notSupported, oneOf, required } from './errors.ts';
import { checkLabel, checkSelector } from './selectors.ts';
import { isTree, text, type Tree, tree, trees } from './tree.ts';

/** What is wrong with a pod’s spec; `field` is where it stands. */
export function checkPodSpec(field: string, spec: Tree): readonly FieldError[] {
  const deadline = spec['activeDeadlineSeconds'];
  return [
    ...checkVolumes(`${field}.volumes`, trees(spec['volumes'])),
    ...checkContainers(field, spec),
    ...oneOf(`${field}.restartPolicy`, spec['restartPolicy'], ['Always', 'OnFailure', 'Never']),
    ...oneOf(`${field}.dnsPolicy`, spec['dnsPolicy'], ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
    ...Object.entries(tree(spec['nodeSelector'])).flatMap(([key, value]) =>
      checkLabel(`${field}.nodeSelector`, key, value),
    ),
    ...named(`${field}.serviceAccountName`, spec['serviceAccountName']),
    ...named(`${field}.nodeName`, spec['nodeName']),
    ...(typeof deadline === 'number' && (deadline < 1 || deadline > 2_147_483_647)
      ? [invalidValue(`${field}.activeDeadlineSeconds`, deadline, 'must be between 1 and 2147483647, inclusive')]
      : []),
    ...(text(spec['hostname']) === ''
      ? []
      : complain(`${field}.hostname`, spec['hostname'], dnsLabel(text(spec['hostname'])))),
    ...checkTolerations(`${field}.tolerations`, trees(spec['tolerations'])),
    ...checkAffinity(`${field}.affinity`, tree(spec['affinity'])),
    ...trees(spec['topologySpreadConstraints']).flatMap((each, at) =>
      checkSpread(`${field}.topologySpreadConstraints[${at}]`, each),
    ),
    ...named(`${field}.priorityClassName`, spec['priorityClassName']),
  ];
}

const named = (field: string, name: unknown): readonly FieldError[] =>
  text(name) === '' ? [] : complain(field, name, subdomain(text(name)));

function checkVolumes(field: string, volumes: readonly Tree[]): readonly FieldError[] {
  const seen = new Set<string>();
  return volumes.flatMap((volume, at) => {
    const name = text(volume['name']);
    const wrong = [...checkVolumeSource(`${field}[${at}]`, volume)];
    if (name === '') wrong.push(required(`${field}[${at}].name`));
    else wrong.push(...complain(`${field}[${at}].name`, name, dnsLabel(name)));
    if (seen.has(name)) wrong.push(duplicate(`${field}[${at}].name`, name));
    seen.add(name);
    return wrong;
  });
}

/** In the order in which the server looks at them. */
const sources = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'persistentVolumeClaim',
  'downwardAPI',
  'fc',
  'cinder',
  'configMap',
  'projected',
  'csi',
  'ephemeral',
  'image',
];

function checkVolumeSource(field: string, volume: Tree): readonly FieldError[] {
  const given = sources.filter((name) => isTree(volume[name]));
  return given.flatMap((name, at) => {
    if (at > 0) return [forbiddenField(`${field}.${name}`, 'may not specify more than 1 volume type')];
    const source = tree(volume[name]);
    const must = (key: string, because = ''): readonly FieldError[] =>
      text(source[key]) === '' ? [required(`${field}.${name}.${key}`, because)] : [];
    switch (name) {
      case 'secret':
        return must('secretName');
      case 'configMap':
        return must('name');
      case 'hostPath':
        return must('path');
      case 'persistentVolumeClaim':
        return must('claimName');
      case 'nfs':
        return [...must('server'), ...must('path')];
      case 'csi':
        return must('driver');
      default:
        return [];
    }
  });
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function checkTolerations(field: string, tolerations: readonly Tree[]): readonly FieldError[] {
  return tolerations.flatMap(({ key, operator, value, effect, tolerationSeconds }, at) => {
    const of = `${field}[${at}]`;
    const wrong: FieldError[] = [];
    if (text(key) !== '') wrong.push(...complain(`${of}.key`, key, labelKey(text(key))));
    if (text(key) === '' && operator !== 'Exists') {
      wrong.push(
        invalidValue(
          `${of}.operator`,
          text(operator),
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
      wrong.push(
        invalidValue(`${of}.effect`, text(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      );
    }
    if (operator === 'Exists' && text(value) !== '') {
      wrong.push(invalidValue(`${of}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    }
    if (text(operator) !== '') wrong.push(...oneOf(`${of}.operator`, operator, ['Equal', 'Exists']));
    if (text(effect) !== '') wrong.push(...oneOf(`${of}.effect`, effect, effects));
    return wrong;
  });
}

/** Of nodes, too. */
export function checkTaints(field: string, taints: readonly Tree[]): readonly FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap(({ key, effect }, at) => {
    const id = `${text(key)}:${text(effect)}`;
    const wrong: FieldError[] = [
      ...complain(`${field}[${at}].key`, text(key), labelKey(text(key))),
      ...(text(effect) === ''
        ? [required(`${field}[${at}].effect`)]
        : oneOf(`${field}[${at}].effect`, effect, effects)),
    ];
    if (seen.has(id))
      wrong.push({
        ...duplicate(`${field}[${at}]`, id),
        message: `Duplicate value: ${JSON.stringify(taints[at])}: taints must be unique by key and effect pair`,
      });
    seen.add(id);
    return wrong;
  });
}

function checkAffinity(field: string, affinity: Tree): readonly FieldError[] {
  const must = tree(affinity['nodeAffinity'])['requiredDuringSchedulingIgnoredDuringExecution'];
  const nodes =
    isTree(must) && trees(must['nodeSelectorTerms']).length === 0
      ? [
          required(
            `${field}.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`,
            'must have at least one node selector term',
          ),
        ]
      : [];
  const pods = ['podAffinity', 'podAntiAffinity'].flatMap((kind) =>
    trees(tree(affinity[kind])['requiredDuringSchedulingIgnoredDuringExecution']).flatMap((term, at) => {
      const of = `${field}.${kind}.requiredDuringSchedulingIgnoredDuringExecution[${at}]`;
      return [
        ...checkSelector(`${of}.labelSelector`, tree(term['labelSelector'])),
        ...(text(term['topologyKey']) === '' ? [required(`${of}.topologyKey`, 'can not be empty')] : []),
      ];
    }),
  );
  return [...nodes, ...pods];
}

function checkSpread(field: string, { maxSkew, topologyKey, whenUnsatisfiable }: Tree): readonly FieldError[] {
  const actions = ['DoNotSchedule', 'ScheduleAnyway'];
  return [
    ...(Number(maxSkew ?? 0) <= 0 ? [invalidValue(`${field}.maxSkew`, maxSkew ?? 0, 'must be greater than zero')] : []),
    ...(text(topologyKey) === '' ? [required(`${field}.topologyKey`, 'can not be empty')] : []),
    ...(actions.includes(text(whenUnsatisfiable))
      ? []
      : [notSupported(`${field}.whenUnsatisfiable`, text(whenUnsatisfiable), actions)]),
  ];
}

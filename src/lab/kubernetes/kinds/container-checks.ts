import type { FieldError } from '../resource.ts';
import { dnsLabel } from '../verbs/names.ts';
import { checkEnvironment } from './environment-checks.ts';
import {
  complain,
  duplicate,
  invalidValue,
  isPort,
  nonNegative,
  notThere,
  oneOf,
  portRange,
  required,
  forbiddenField,
} from './errors.ts';
import { portNameComplaints } from './port-names.ts';
import { checkProbe } from './probe-checks.ts';
import { checkResources } from './resource-checks.ts';
import { isTree, text, type Tree, tree, trees } from './tree.ts';

/** Of a pod’s spec: those that run, and those that run before. */
export function checkContainers(field: string, spec: Tree): readonly FieldError[] {
  const volumes = new Set(trees(spec['volumes']).map(({ name }) => text(name)));
  const names = new Set<string>();
  const check = (list: string): readonly FieldError[] =>
    trees(spec[list]).flatMap((container, at) =>
      checkContainer(`${field}.${list}[${at}]`, container, {
        names,
        volumes,
        hostNetwork: spec['hostNetwork'] === true,
      }),
    );
  const none = trees(spec['containers']).length === 0 ? [required(`${field}.containers`)] : [];
  return [...none, ...check('containers'), ...check('initContainers')];
}

type Around = { readonly names: Set<string>; readonly volumes: ReadonlySet<string>; readonly hostNetwork: boolean };

function checkContainer(
  field: string,
  container: Tree,
  { names, volumes, hostNetwork }: Around,
): readonly FieldError[] {
  const [name, image] = [text(container['name']), text(container['image'])];
  const wrong: FieldError[] = [];
  if (name === '') wrong.push(required(`${field}.name`));
  else wrong.push(...complain(`${field}.name`, name, dnsLabel(name)));
  if (names.has(name)) wrong.push(duplicate(`${field}.name`, name));
  else names.add(name);
  if (image === '') wrong.push(required(`${field}.image`));
  wrong.push(
    ...checkPorts(`${field}.ports`, trees(container['ports']), hostNetwork),
    ...checkEnvironment(`${field}.env`, trees(container['env'])),
    ...checkMounts(`${field}.volumeMounts`, trees(container['volumeMounts']), volumes),
    ...['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((probe) =>
      isTree(container[probe]) ? checkProbe(`${field}.${probe}`, container[probe]) : [],
    ),
    ...oneOf(`${field}.imagePullPolicy`, container['imagePullPolicy'], ['Always', 'IfNotPresent', 'Never']),
    ...checkResources(`${field}.resources`, tree(container['resources'])),
    ...checkSecurity(`${field}.securityContext`, tree(container['securityContext'])),
  );
  if (image !== '' && image.trim() !== image) {
    wrong.push(invalidValue(`${field}.image`, image, 'must not have leading or trailing whitespace'));
  }
  return wrong;
}

function checkPorts(field: string, ports: readonly Tree[], hostNetwork: boolean): readonly FieldError[] {
  const names = new Set<string>();
  return ports.flatMap(({ name, containerPort, hostPort, protocol }, at) => {
    const of = `${field}[${at}]`;
    const wrong: FieldError[] = [];
    if (text(name) !== '') {
      const complaints = portNameComplaints(text(name));
      wrong.push(...complain(`${of}.name`, name, complaints));
      if (complaints.length === 0 && names.has(text(name))) wrong.push(duplicate(`${of}.name`, name));
      names.add(text(name));
    }
    if ((containerPort ?? 0) === 0) wrong.push(required(`${of}.containerPort`));
    else if (!isPort(containerPort)) wrong.push(invalidValue(`${of}.containerPort`, containerPort, portRange));
    if ((hostPort ?? 0) !== 0 && !isPort(hostPort)) wrong.push(invalidValue(`${of}.hostPort`, hostPort, portRange));
    else if ((hostPort ?? 0) !== 0 && hostNetwork && hostPort !== containerPort) {
      wrong.push(invalidValue(`${of}.hostPort`, hostPort, 'must match `containerPort` when `hostNetwork` is true'));
    }
    wrong.push(...oneOf(`${of}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']));
    return wrong;
  });
}

function checkMounts(field: string, mounts: readonly Tree[], volumes: ReadonlySet<string>): readonly FieldError[] {
  const paths = new Set<string>();
  return mounts.flatMap(({ name, mountPath }, at) => {
    const of = `${field}[${at}]`;
    const wrong: FieldError[] = [];
    if (text(name) === '') wrong.push(required(`${of}.name`));
    if (!volumes.has(text(name))) wrong.push(notThere(`${of}.name`, text(name)));
    if (text(mountPath) === '') wrong.push(required(`${of}.mountPath`));
    else if (paths.has(text(mountPath))) wrong.push(invalidValue(`${of}.mountPath`, mountPath, 'must be unique'));
    paths.add(text(mountPath));
    return wrong;
  });
}

function checkSecurity(
  field: string,
  { runAsUser, runAsGroup, privileged, allowPrivilegeEscalation }: Tree,
): readonly FieldError[] {
  return [
    ...nonNegative(`${field}.runAsUser`, runAsUser),
    ...nonNegative(`${field}.runAsGroup`, runAsGroup),
    ...(privileged === true && allowPrivilegeEscalation === false
      ? [forbiddenField(field, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true')]
      : []),
  ];
}

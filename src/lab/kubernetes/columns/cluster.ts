import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { isTree, text, tree, trees } from '../kinds/tree.ts';
import type { Column } from '../resource.ts';
import {
  ageColumn,
  column,
  condition,
  count,
  nameColumn,
  nothing,
  orNothing,
  specOf,
  statusOf,
  unknown,
  wide,
} from './cells.ts';

export const namespaceColumns: readonly Column[] = [
  nameColumn,
  column('Status', (namespace) => text(statusOf(namespace)['phase'])),
  ageColumn,
];

function nodeStatus(node: KubeObject): string {
  const ready = condition(node, 'Ready')?.['status'];
  const word = ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
  return specOf(node)['unschedulable'] === true ? `${word},SchedulingDisabled` : word;
}

const rolePrefix = 'node-role.kubernetes.io/';

function roles({ metadata }: KubeObject): string {
  const named = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) =>
    key.startsWith(rolePrefix) && key.length > rolePrefix.length
      ? [key.slice(rolePrefix.length)]
      : key === 'kubernetes.io/role' && value !== ''
        ? [value]
        : [],
  );
  return orNothing([...new Set(named)].sort().join(','));
}

const address = (node: KubeObject, type: string): string =>
  text(trees(statusOf(node)['addresses']).find((each) => each['type'] === type)?.['address']) || nothing;
const info = (node: KubeObject, field: string): string => text(tree(statusOf(node)['nodeInfo'])[field]);

export const nodeColumns: readonly Column[] = [
  nameColumn,
  column('Status', nodeStatus),
  column('Roles', roles),
  ageColumn,
  column('Version', (node) => info(node, 'kubeletVersion')),
  wide('Internal-IP', (node) => address(node, 'InternalIP')),
  wide('External-IP', (node) => address(node, 'ExternalIP')),
  wide('OS-Image', (node) => info(node, 'osImage') || unknown),
  wide('Kernel-Version', (node) => {
    const architecture = info(node, 'architecture');
    return (info(node, 'kernelVersion') || unknown) + (architecture === '' ? '' : ` (${architecture})`);
  }),
  wide('Container-Runtime', (node) => info(node, 'containerRuntimeVersion') || unknown),
];

const size = (of: unknown): number => Object.keys(tree(of)).length;

export const configMapColumns: readonly Column[] = [
  nameColumn,
  column('Data', (map) => size(map['data']) + size(map['binaryData'])),
  ageColumn,
];

export const secretColumns: readonly Column[] = [
  nameColumn,
  column('Type', (secret) => text(secret['type'])),
  column('Data', (secret) => size(secret['data'])),
  ageColumn,
];

export const leaseColumns: readonly Column[] = [
  nameColumn,
  column('Holder', (lease) => text(specOf(lease)['holderIdentity'])),
  ageColumn,
];

export const priorityClassColumns: readonly Column[] = [
  nameColumn,
  column('Value', (of) => count(of['value']), 'integer'),
  column('Global-Default', (of) => of['globalDefault'] === true, 'boolean'),
  ageColumn,
  column('PreemptionPolicy', (of) => text(of['preemptionPolicy'])),
];

const quotas =
  (isLimit: boolean) =>
  (quota: KubeObject): string => {
    const { hard, used } = statusOf(quota);
    return Object.keys(tree(hard))
      .filter((name) => name.startsWith('limits.') === isLimit)
      .sort()
      .map((name) => `${name}: ${text(tree(used)[name]) || '0'}/${text(tree(hard)[name])}`)
      .join(', ');
  };

export const quotaColumns: readonly Column[] = [
  nameColumn,
  column('Request', quotas(false)),
  column('Limit', quotas(true)),
  ageColumn,
];

export const webhookColumns: readonly Column[] = [
  nameColumn,
  column('Webhooks', (of) => trees(of['webhooks']).length, 'integer'),
  ageColumn,
];

export const runtimeClassColumns: readonly Column[] = [
  nameColumn,
  column('Handler', (of) => text(of['handler'])),
  ageColumn,
];

export const apiServiceColumns: readonly Column[] = [
  nameColumn,
  column('Service', (of) => {
    const { service } = specOf(of);
    return isTree(service) ? `${text(service['namespace'])}/${text(service['name'])}` : 'Local';
  }),
  column('Available', (of) => {
    const { status, reason } = condition(of, 'Available') ?? {};
    return status === undefined ? 'Unknown' : status === 'True' ? 'True' : `${text(status)} (${text(reason)})`;
  }),
  ageColumn,
];

export const signingRequestColumns: readonly Column[] = [
  nameColumn,
  ageColumn,
  column('SignerName', (request) => text(specOf(request)['signerName']) || nothing),
  column('Requestor', (request) => text(specOf(request)['username'])),
  column('RequestedDuration', (request) => {
    const seconds = specOf(request)['expirationSeconds'];
    return seconds === undefined ? nothing : `${count(seconds)}s`;
  }),
  column('Condition', (request) => {
    const is = (type: string): boolean => condition(request, type) !== undefined;
    const words = [is('Denied') ? 'Denied' : is('Approved') ? 'Approved' : 'Pending'];
    if (is('Failed')) words.push('Failed');
    if (text(statusOf(request)['certificate']) !== '') words.push('Issued');
    return words.join(',');
  }),
];

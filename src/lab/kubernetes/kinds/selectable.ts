import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { isTree, text, tree, written } from './tree.ts';

type Selectable = Readonly<Record<string, (object: KubeObject) => string>>;

/** What stands at a path, as text; nothing where there is nothing. */
const at =
  (path: string, otherwise = '') =>
  (object: KubeObject): string => {
    const value = path.split('.').reduce<unknown>((inner, name) => (isTree(inner) ? inner[name] : undefined), object);
    return written(value) || otherwise;
  };

const paths = (...of: readonly string[]): Selectable => Object.fromEntries(of.map((path) => [path, at(path)]));
const reference = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const fields: Readonly<Record<string, Selectable>> = {
  '/pods': {
    ...paths(
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.phase',
      'status.podIP',
      'status.nominatedNodeName',
    ),
    'spec.hostNetwork': at('spec.hostNetwork', 'false'),
  },
  '/nodes': { 'spec.unschedulable': at('spec.unschedulable', 'false') },
  '/namespaces': paths('status.phase'),
  '/secrets': paths('type'),
  '/services': paths('spec.clusterIP', 'spec.type'),
  '/replicationcontrollers': { 'status.replicas': at('status.replicas', '0') },
  'apps/replicasets': { 'status.replicas': at('status.replicas', '0') },
  'batch/jobs': { 'status.successful': at('status.succeeded', '0') },
  'certificates.k8s.io/certificatesigningrequests': paths('spec.signerName'),
  '/events': {
    ...paths(...reference.map((name) => `involvedObject.${name}`), 'reason', 'reportingComponent', 'type'),
    source: (event) => text(tree(event['source'])['component']) || text(event['reportingComponent']),
  },
  'events.k8s.io/events': {
    ...paths(...reference.map((name) => `regarding.${name}`), 'reason', 'reportingController', 'type'),
  },
};

/** Fields of a built-in kind that a field selector may name. */
export const selectableOf = (group: string, resource: string): Selectable => fields[`${group}/${resource}`] ?? {};

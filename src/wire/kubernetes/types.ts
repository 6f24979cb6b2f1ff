import { hasPlainList, plainList, readType } from './notation.ts';
import type { TypeNote, Types } from './notation.ts';
import { admissionregistration } from './types/admissionregistration.ts';
import { apiextensions } from './types/apiextensions.ts';
import { apiregistration } from './types/apiregistration.ts';
import { apps } from './types/apps.ts';
import { authentication } from './types/authentication.ts';
import { authorization } from './types/authorization.ts';
import { autoscaling, autoscalingv2 } from './types/autoscaling.ts';
import { batch } from './types/batch.ts';
import { certificates } from './types/certificates.ts';
import { coordination } from './types/coordination.ts';
import { core } from './types/core.ts';
import { discovery } from './types/discovery.ts';
import { events } from './types/events.ts';
import { flowcontrol } from './types/flowcontrol.ts';
import { meta, version } from './types/meta.ts';
import { networking } from './types/networking.ts';
import { node } from './types/node.ts';
import { policy } from './types/policy.ts';
import { rbac } from './types/rbac.ts';
import { resource } from './types/resource.ts';
import { scheduling } from './types/scheduling.ts';
import { storage } from './types/storage.ts';

/** Types that are written down together, and under which name OpenAPI knows them. */
export type Package = {
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly types: Types;
};

const api = (name: string, group: string, types: Types, release = 'v1'): Package => ({
  path: `io.k8s.api.${name}.${release}`,
  group,
  version: release,
  types,
});

export const packages: Readonly<Record<string, Package>> = {
  core: api('core', '', core),
  admissionregistration: api('admissionregistration', 'admissionregistration.k8s.io', admissionregistration),
  apiextensions: {
    path: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
    group: 'apiextensions.k8s.io',
    version: 'v1',
    types: apiextensions,
  },
  apiregistration: {
    path: 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
    group: 'apiregistration.k8s.io',
    version: 'v1',
    types: apiregistration,
  },
  apps: api('apps', 'apps', apps),
  authentication: api('authentication', 'authentication.k8s.io', authentication),
  authorization: api('authorization', 'authorization.k8s.io', authorization),
  autoscaling: api('autoscaling', 'autoscaling', autoscaling),
  autoscalingv2: api('autoscaling', 'autoscaling', autoscalingv2, 'v2'),
  batch: api('batch', 'batch', batch),
  certificates: api('certificates', 'certificates.k8s.io', certificates),
  coordination: api('coordination', 'coordination.k8s.io', coordination),
  discovery: api('discovery', 'discovery.k8s.io', discovery),
  events: api('events', 'events.k8s.io', events),
  flowcontrol: api('flowcontrol', 'flowcontrol.apiserver.k8s.io', flowcontrol),
  networking: api('networking', 'networking.k8s.io', networking),
  node: api('node', 'node.k8s.io', node),
  policy: api('policy', 'policy', policy),
  rbac: api('rbac', 'rbac.authorization.k8s.io', rbac),
  resource: api('resource', 'resource.k8s.io', resource),
  scheduling: api('scheduling', 'scheduling.k8s.io', scheduling),
  storage: api('storage', 'storage.k8s.io', storage),
  meta: { path: 'io.k8s.apimachinery.pkg.apis.meta.v1', group: '', version: 'v1', types: meta },
  version: { path: 'io.k8s.apimachinery.pkg.version', group: '', version: '', types: version },
};

const read = new Map<string, TypeNote>();

/** A type by `package.Name`; undefined where there is none. */
export function typeNote(name: string): TypeNote | undefined {
  const known = read.get(name);
  if (known !== undefined) return known;
  const [home = '', type = ''] = name.split('.');
  const text = textOf(packages[home]?.types ?? {}, type);
  if (text === undefined) return undefined;
  const note = readType(text, home);
  read.set(name, note);
  return note;
}

function textOf(types: Types, type: string): string | undefined {
  if (types[type] !== undefined) return types[type];
  if (!type.endsWith('List')) return undefined;
  const item = type.slice(0, -'List'.length);
  return hasPlainList(types[item] ?? '') ? plainList(item) : undefined;
}

/** Every type of a package, plain lists as well. */
export function typeNames(home: string): readonly string[] {
  const types = packages[home]?.types ?? {};
  const lists = Object.entries(types).filter(([, text]) => hasPlainList(text));
  return [...Object.keys(types), ...lists.map(([name]) => `${name}List`)].sort();
}

/** `core.Pod` as OpenAPI calls it. */
export function openApiName(name: string): string {
  const [home = '', type = ''] = name.split('.');
  return `${packages[home]?.path ?? home}.${type}`;
}

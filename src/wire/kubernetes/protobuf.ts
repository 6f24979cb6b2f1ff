import { admissionregistrationNumbers } from './protobuf/admissionregistration.ts';
import { apiextensionsNumbers } from './protobuf/apiextensions.ts';
import { apiregistrationNumbers } from './protobuf/apiregistration.ts';
import { appsNumbers } from './protobuf/apps.ts';
import { authenticationNumbers } from './protobuf/authentication.ts';
import { authorizationNumbers } from './protobuf/authorization.ts';
import { autoscalingNumbers } from './protobuf/autoscaling.ts';
import { autoscalingv2Numbers } from './protobuf/autoscalingv2.ts';
import { batchNumbers } from './protobuf/batch.ts';
import { certificatesNumbers } from './protobuf/certificates.ts';
import { coordinationNumbers } from './protobuf/coordination.ts';
import { coreNumbers } from './protobuf/core.ts';
import { discoveryNumbers } from './protobuf/discovery.ts';
import { eventsNumbers } from './protobuf/events.ts';
import { flowcontrolNumbers } from './protobuf/flowcontrol.ts';
import { metaNumbers } from './protobuf/meta.ts';
import { networkingNumbers } from './protobuf/networking.ts';
import { nodeNumbers } from './protobuf/node.ts';
import { policyNumbers } from './protobuf/policy.ts';
import { rbacNumbers } from './protobuf/rbac.ts';
import { resourceNumbers } from './protobuf/resource.ts';
import { schedulingNumbers } from './protobuf/scheduling.ts';
import { storageNumbers } from './protobuf/storage.ts';

/**
 * Numbers of the fields of built-in types in protobuf, by type: names in the order of their numbers, from 1 on.
 * `7:name` is number 7 and not the next one; `~Type` is a type of the same package whose fields stand in this one in JSON.
 */
export type Numbers = Readonly<Record<string, string>>;

export type NumberedField = { readonly name: string } | { readonly inlined: string };

const packages: Readonly<Record<string, Numbers>> = {
  'io.k8s.api.admissionregistration.v1': admissionregistrationNumbers,
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1': apiextensionsNumbers,
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1': apiregistrationNumbers,
  'io.k8s.api.apps.v1': appsNumbers,
  'io.k8s.api.authentication.v1': authenticationNumbers,
  'io.k8s.api.authorization.v1': authorizationNumbers,
  'io.k8s.api.autoscaling.v1': autoscalingNumbers,
  'io.k8s.api.autoscaling.v2': autoscalingv2Numbers,
  'io.k8s.api.batch.v1': batchNumbers,
  'io.k8s.api.certificates.v1': certificatesNumbers,
  'io.k8s.api.coordination.v1': coordinationNumbers,
  'io.k8s.api.core.v1': coreNumbers,
  'io.k8s.api.discovery.v1': discoveryNumbers,
  'io.k8s.api.events.v1': eventsNumbers,
  'io.k8s.api.flowcontrol.v1': flowcontrolNumbers,
  'io.k8s.apimachinery.pkg.apis.meta.v1': metaNumbers,
  'io.k8s.api.networking.v1': networkingNumbers,
  'io.k8s.api.node.v1': nodeNumbers,
  'io.k8s.api.policy.v1': policyNumbers,
  'io.k8s.api.rbac.v1': rbacNumbers,
  'io.k8s.api.resource.v1': resourceNumbers,
  'io.k8s.api.scheduling.v1': schedulingNumbers,
  'io.k8s.api.storage.v1': storageNumbers,
};

const read = new Map<string, ReadonlyMap<number, NumberedField>>();

/** Of `io.k8s.api.core.v1.Pod`; undefined: nobody wrote it down. */
export function fieldNumbers(type: string): ReadonlyMap<number, NumberedField> | undefined {
  const known = read.get(type);
  if (known !== undefined) return known;
  const at = type.lastIndexOf('.');
  const home = type.slice(0, at);
  const text = packages[home]?.[type.slice(at + 1)];
  if (text === undefined) return undefined;
  const numbers = numbersOf(text, home);
  read.set(type, numbers);
  return numbers;
}

function numbersOf(text: string, home: string): ReadonlyMap<number, NumberedField> {
  const numbers = new Map<number, NumberedField>();
  let last = 0;
  for (const word of text.trim().split(/\s+/)) {
    const [, given, name = ''] = /^(?:(\d+):)?(.*)$/.exec(word) ?? [];
    last = given === undefined ? last + 1 : Number(given);
    numbers.set(last, name.startsWith('~') ? { inlined: `${home}.${name.slice(1)}` } : { name });
  }
  return numbers;
}

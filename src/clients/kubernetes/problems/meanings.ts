import type { Recovery } from '../../../model/problem.ts';
import type { Asked, Said } from './problem.ts';

type Meaning = {
  readonly code: string;
  readonly when: (told: Said, asked: Asked) => boolean;
  readonly recovery: Recovery;
  readonly message?: (told: Said, asked: Asked) => string;
  readonly remedy: (told: Said, asked: Asked) => string;
};

const reason =
  (...names: readonly string[]) =>
  ({ reason: said, status }: Said): boolean =>
    said === undefined || said === '' ? names.includes(String(status)) : names.includes(said);

const cause = (told: Said, name: string): boolean => told.details?.causes?.some((one) => one.reason === name) ?? false;

const says =
  (words: RegExp) =>
  ({ said }: Said): boolean =>
    words.test(said);

const all =
  (...tests: readonly Meaning['when'][]): Meaning['when'] =>
  (told, asked) =>
    tests.every((test) => test(told, asked));

/** `kubectl get deployments.apps web -n shop` */
const kubectl = (verb: string, { resource = 'RESOURCE', name, namespace }: Asked, more = ''): string =>
  ['    kubectl', verb, resource, name, namespace === undefined ? undefined : `-n ${namespace}`, more]
    .filter((word) => word !== undefined && word !== '')
    .join(' ');

const look = (_: Said, asked: Asked): string => `See how it is now:\n${kubectl('get', asked, '-o yaml')}`;

/** What API servers refuse with, the special before the general; the first row that fits is it. */
export const meanings: readonly Meaning[] = [
  {
    code: 'kubernetes-owned-by-others',
    when: all(reason('Conflict', '409'), (told) => cause(told, 'FieldManagerConflict')),
    recovery: 'ask',
    message: (told, { doing }) => `Kubernetes refused to ${doing}: others own fields of it.${ownersIn(told)}`,
    remedy: (_, asked) =>
      `Leave these fields out, or take them over by force. Who owns what:\n${kubectl('get', asked, '-o yaml --show-managed-fields')}`,
  },
  {
    code: 'kubernetes-conflict',
    when: reason('Conflict', '409'),
    recovery: 'retry',
    remedy: look,
  },
  {
    code: 'kubernetes-already-exists',
    when: reason('AlreadyExists'),
    recovery: 'ask',
    remedy: look,
  },
  {
    code: 'kubernetes-disruption-budget',
    when: all(
      reason('TooManyRequests', '429'),
      (told, { verb }) => verb === 'evict' || cause(told, 'DisruptionBudget'),
    ),
    recovery: 'wait',
    remedy: (_, { namespace }) =>
      `Wait until the pods that the budget counts are healthy elsewhere:\n    kubectl get poddisruptionbudgets -n ${namespace ?? 'default'}`,
  },
  {
    code: 'kubernetes-too-many-requests',
    when: reason('TooManyRequests', '429'),
    recovery: 'retry',
    remedy: () =>
      'The API server is busy. See what it is busy with:\n    kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels',
  },
  {
    code: 'kubernetes-namespace-terminating',
    when: all(
      reason('Forbidden', '403'),
      (told) => cause(told, 'NamespaceTerminating') || /being terminated/.test(told.said),
    ),
    recovery: 'wait',
    remedy: (_, { namespace }) =>
      `Wait until the namespace is gone, and see what holds it:\n    kubectl get namespace ${namespace ?? 'NAME'} -o yaml`,
  },
  {
    code: 'kubernetes-quota',
    when: all(reason('Forbidden', '403'), says(/exceeded quota/)),
    recovery: 'ask',
    remedy: (_, { namespace }) =>
      `Raise the quota, or ask for less:\n    kubectl describe resourcequota -n ${namespace ?? 'default'}`,
  },
  {
    code: 'kubernetes-denied',
    when: says(
      /admission webhook .* denied the request|ValidatingAdmissionPolicy .* denied request|violates PodSecurity/,
    ),
    recovery: 'ask',
    remedy: () =>
      'A policy of the cluster does not allow it. See which there are:\n    kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations,validatingadmissionpolicies',
  },
  {
    code: 'kubernetes-webhook',
    when: says(/failed calling webhook|conversion webhook for/),
    recovery: 'retry',
    remedy: () =>
      'The server asks a webhook that does not answer; look whether its pods run:\n    kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
  },
  {
    code: 'kubernetes-forbidden',
    when: reason('Forbidden', '403'),
    recovery: 'ask',
    remedy: (_, asked) => `Use another account, or have this one allowed to:\n    kubectl auth can-i ${mayI(asked)}`,
  },
  {
    code: 'kubernetes-unauthorized',
    when: reason('Unauthorized', '401'),
    recovery: 'ask',
    message: (_, { doing, endpoint }) =>
      `${endpoint} does not know who asks to ${doing}: the credentials were not taken.`,
    remedy: () => 'Fetch a new kubeconfig, or log in again:\n    kubectl auth whoami',
  },
  {
    code: 'kubernetes-not-found',
    when: reason('NotFound', '404'),
    recovery: 'ask',
    remedy: ({ details }, asked) => {
      const missing =
        details?.kind === 'namespaces' ? { ...asked, resource: 'namespaces', namespace: undefined } : asked;
      return `See what there is:\n${kubectl('get', { ...missing, name: undefined })}`;
    },
  },
  {
    code: 'kubernetes-expired',
    when: reason('Expired', 'Gone', '410'),
    recovery: 'retry',
    remedy: look,
  },
  {
    code: 'kubernetes-invalid',
    when: reason('Invalid', '422'),
    recovery: 'ask',
    remedy: (_, { resource = 'RESOURCE' }) =>
      `See which fields there are and what they take:\n    kubectl explain ${resource}`,
  },
  {
    code: 'kubernetes-bad-request',
    when: reason('BadRequest', 'UnsupportedMediaType', 'NotAcceptable', '400', '406', '415'),
    recovery: 'ask',
    remedy: (_, { resource = 'RESOURCE' }) =>
      `See which fields there are and what they take:\n    kubectl explain ${resource}`,
  },
  {
    code: 'kubernetes-not-offered',
    when: reason('MethodNotAllowed', '405'),
    recovery: 'ask',
    remedy: () => 'See what each kind of object can do:\n    kubectl api-resources -o wide',
  },
  {
    code: 'kubernetes-too-large',
    when: (told) => reason('RequestEntityTooLarge', '413')(told) || /etcdserver: request is too large/.test(told.said),
    recovery: 'ask',
    remedy: () => 'An object has room for about 1.5 MiB; divide it:\n    kubectl explain configmap',
  },
  {
    code: 'kubernetes-timeout',
    when: reason('Timeout', 'ServerTimeout', '504'),
    recovery: 'retry',
    remedy: healthy,
  },
  {
    code: 'kubernetes-unavailable',
    when: reason('ServiceUnavailable', '502', '503'),
    recovery: 'retry',
    remedy: healthy,
  },
  {
    code: 'kubernetes-failed',
    when: ({ status }) => status !== undefined && status >= 500,
    recovery: 'retry',
    message: ({ said, status }, { doing }) => `Kubernetes failed to ${doing}: ${said || status}`,
    remedy: healthy,
  },
];

function healthy(): string {
  return 'See which part of the control plane is not well:\n    kubectl get --raw "/readyz?verbose"';
}

const mayI = ({ verb, resource = 'RESOURCE', name, namespace }: Asked): string =>
  [
    verb,
    name === undefined ? resource : `${resource}/${name}`,
    ...(namespace === undefined ? [] : ['-n', namespace]),
  ].join(' ');

/** One line per field and owner. */
function ownersIn({ details }: Said): string {
  const lines = (details?.causes ?? []).map(({ field, message }) => {
    const owner = /conflict with "([^"]*)"/.exec(message ?? '')?.[1];
    return `\n    ${field ?? '?'} is ${owner === undefined ? 'somebody else’s' : `${owner}’s`}`;
  });
  return [...new Set(lines)].join('');
}

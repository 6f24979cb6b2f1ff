import { expect, test } from 'vitest';
import type { Asked } from './problem.ts';
import { refusalOf } from './refusal.ts';

const asked: Asked = {
  doing: 'create Deployment shop/web',
  endpoint: '10.0.0.5:6443',
  verb: 'create',
  resource: 'deployments.apps',
  namespace: 'shop',
  name: 'web',
  secrets: [],
};

type Row = [
  code: string,
  recovery: string,
  typed: string,
  status: number,
  reason: string,
  message: string,
  causes?: object[],
];

test.each<Row>([
  [
    'kubernetes-forbidden',
    'ask',
    'kubectl auth can-i create deployments.apps/web -n shop',
    403,
    'Forbidden',
    'deployments.apps is forbidden: User "x" cannot create',
  ],
  [
    'kubernetes-namespace-terminating',
    'wait',
    'kubectl get namespace shop -o yaml',
    403,
    'Forbidden',
    'unable to create new content in namespace shop because it is being terminated',
    [{ reason: 'NamespaceTerminating' }],
  ],
  [
    'kubernetes-quota',
    'ask',
    'kubectl describe resourcequota -n shop',
    403,
    'Forbidden',
    'pods "web" is forbidden: exceeded quota: q, requested: pods=1',
  ],
  [
    'kubernetes-denied',
    'ask',
    'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations,validatingadmissionpolicies',
    403,
    'Forbidden',
    'pods "x" is forbidden: violates PodSecurity "restricted:latest": hostPath',
  ],
  [
    'kubernetes-denied',
    'ask',
    'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations,validatingadmissionpolicies',
    400,
    'BadRequest',
    'admission webhook "v.acme.io" denied the request: no',
  ],
  [
    'kubernetes-webhook',
    'retry',
    'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations',
    500,
    'InternalError',
    'Internal error occurred: failed calling webhook "v.acme.io": connection refused',
  ],
  [
    'kubernetes-conflict',
    'retry',
    'kubectl get deployments.apps web -n shop -o yaml',
    409,
    'Conflict',
    'Operation cannot be fulfilled',
  ],
  [
    'kubernetes-owned-by-others',
    'ask',
    'kubectl get deployments.apps web -n shop -o yaml --show-managed-fields',
    409,
    'Conflict',
    'Apply failed with 1 conflict',
    [{ reason: 'FieldManagerConflict', message: 'conflict with "helm" using apps/v1', field: '.spec.replicas' }],
  ],
  [
    'kubernetes-already-exists',
    'ask',
    'kubectl get deployments.apps web -n shop -o yaml',
    409,
    'AlreadyExists',
    'deployments.apps "web" already exists',
  ],
  ['kubernetes-invalid', 'ask', 'kubectl explain deployments.apps', 422, 'Invalid', 'spec.selector: Required value'],
  [
    'kubernetes-bad-request',
    'ask',
    'kubectl explain deployments.apps',
    400,
    'BadRequest',
    'strict decoding error: unknown field "spec.foo"',
  ],
  [
    'kubernetes-not-found',
    'ask',
    'kubectl get deployments.apps -n shop',
    404,
    'NotFound',
    'deployments.apps "web" not found',
  ],
  [
    'kubernetes-too-large',
    'ask',
    'kubectl explain configmap',
    500,
    'InternalError',
    'etcdserver: request is too large',
  ],
  [
    'kubernetes-not-offered',
    'ask',
    'kubectl api-resources -o wide',
    405,
    'MethodNotAllowed',
    'create is not supported on resources of kind "x"',
  ],
  [
    'kubernetes-timeout',
    'retry',
    'kubectl get --raw "/readyz?verbose"',
    504,
    'Timeout',
    'Timeout: request did not complete within requested timeout',
  ],
  [
    'kubernetes-unavailable',
    'retry',
    'kubectl get --raw "/readyz?verbose"',
    503,
    'ServiceUnavailable',
    'the server is currently unable to handle the request',
  ],
  [
    'kubernetes-failed',
    'retry',
    'kubectl get --raw "/readyz?verbose"',
    500,
    'InternalError',
    'etcdserver: leader changed',
  ],
])('%s: %s', (code, recovery, typed, status, reason, message, causes) => {
  const text = JSON.stringify({ kind: 'Status', apiVersion: 'v1', message, reason, code: status, details: { causes } });
  const problem = refusalOf({ refused: true, status, text, retryAfter: undefined }, asked);
  expect([problem.code, problem.recovery, problem.remedy.split('\n').at(-1)?.trim()]).toEqual([code, recovery, typed]);
});

const page = (status: number, text: string) => refusalOf({ refused: true, status, text, retryAfter: undefined }, asked);

test('who owns which field is said', () => {
  const causes = [
    { reason: 'FieldManagerConflict', message: 'conflict with "helm" using apps/v1', field: '.spec.replicas' },
    {
      reason: 'FieldManagerConflict',
      message: 'conflict with "kubectl" with subresource "scale"',
      field: '.spec.replicas',
    },
  ];
  const text = JSON.stringify({ kind: 'Status', reason: 'Conflict', message: 'x', details: { causes } });
  expect(page(409, text).message).toBe(
    'Kubernetes refused to create Deployment shop/web: others own fields of it.\n    .spec.replicas is helm’s\n    .spec.replicas is kubectl’s',
  );
});

test('what answers in the place of the server is understood by its status', () => {
  const shown = (status: number, text: string) => [page(status, text).code, page(status, text).message];
  expect(shown(503, '<html><body><h1>503 Service Unavailable</h1>\nNo server is available</body></html>')).toEqual([
    'kubernetes-unavailable',
    'Kubernetes refused to create Deployment shop/web: 503 Service Unavailable',
  ]);
  expect(shown(418, '')).toEqual(['kubernetes-refused', 'Kubernetes refused to create Deployment shop/web: 418']);
});

test('values of fields that look secret, private keys and passwords in addresses are not repeated', () => {
  const said = (message: string) => page(422, JSON.stringify({ kind: 'Status', reason: 'Invalid', message })).told.said;
  expect(said('spec.apiToken: Invalid value: "abc": too short')).toBe('spec.apiToken: Invalid value: "…": too short');
  expect(said('spec.size: Invalid value: "abc": too short')).toBe('spec.size: Invalid value: "abc": too short');
  expect(said('bad -----BEGIN PRIVATE KEY-----\nMC4\n-----END PRIVATE KEY----- end')).toBe('bad … end');
  expect(said('cannot fetch https://me:pw@git.example/x')).toBe('cannot fetch https://me:…@git.example/x');
});

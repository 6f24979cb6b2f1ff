import { expect } from 'vitest';
import { forbidden, holds, invalid, like, plain, refuses, time, type Chapter } from '../case.ts';
import { deployment, pod, secret, service, template } from '../objects.ts';

const wrong = (
  what: string,
  call: string,
  body: {
    readonly kind: string;
    readonly apiVersion: string;
    readonly metadata: { readonly name: string };
    readonly [field: string]: unknown;
  },
  causes: readonly (readonly [string, string, string])[],
): ReturnType<typeof refuses> => {
  const group = body.apiVersion.includes('/') ? `.${body.apiVersion.split('/')[0]}` : '';
  return refuses(what, { call: `POST ${call}`, body }, invalid(`${body.kind}${group}`, body.metadata.name, causes));
};

export const kinds: Chapter = {
  title: 'kinds',
  cases: [
    holds('a pod is filled with what people leave out', async ({ make, until, ask, ns }) => {
      await until('there is an account', async () => (await ask('GET serviceaccounts/default')).status === 200);
      const made = await make('pods', pod('a', { automountServiceAccountToken: false }));
      expect(plain(made)).toEqual({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a', namespace: ns, generation: 1 },
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              name: 'main',
              image: 'pause',
              imagePullPolicy: 'Always',
              resources: {},
              terminationMessagePath: '/dev/termination-log',
              terminationMessagePolicy: 'File',
            },
          ],
          dnsPolicy: 'ClusterFirst',
          enableServiceLinks: true,
          preemptionPolicy: 'PreemptLowerPriority',
          priority: 0,
          restartPolicy: 'Always',
          schedulerName: 'default-scheduler',
          securityContext: {},
          serviceAccount: 'default',
          serviceAccountName: 'default',
          terminationGracePeriodSeconds: 30,
          tolerations: ['not-ready', 'unreachable'].map((key) => ({
            effect: 'NoExecute',
            key: `node.kubernetes.io/${key}`,
            operator: 'Exists',
            tolerationSeconds: 300,
          })),
        },
        status: { phase: 'Pending', qosClass: 'BestEffort' },
      });
    }),
    holds('a pod is given the token of its account', async ({ make, until, ask }) => {
      await until('there is an account', async () => (await ask('GET serviceaccounts/default')).status === 200);
      const { spec } = (await make('pods', pod('a'))) as unknown as {
        spec: {
          volumes: { name: string; projected: { sources: object[] } }[];
          containers: { volumeMounts: object[] }[];
        };
      };
      const [volume] = spec.volumes;
      expect(volume?.name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
      expect(volume?.projected.sources).toEqual([
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ]);
      expect(spec.containers[0]?.volumeMounts).toEqual([
        { name: volume?.name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
      ]);
    }),
    refuses(
      'a pod of an account that there is none of',
      { call: 'POST pods', body: pod('a', { serviceAccountName: 'nobody' }) },
      forbidden('pods', 'a', 'error looking up service account {ns}/nobody: serviceaccount "nobody" not found'),
    ),
    wrong('a pod without containers', 'pods', pod('a', { containers: [] }), [
      ['spec.containers', 'FieldValueRequired', 'Required value'],
    ]),
    wrong('a container without an image', 'pods', pod('a', { containers: [{ name: 'main' }] }), [
      ['spec.containers[0].image', 'FieldValueRequired', 'Required value'],
    ]),
    wrong('a policy that there is none of', 'pods', pod('a', { restartPolicy: 'Sometimes' }), [
      [
        'spec.restartPolicy',
        'FieldValueNotSupported',
        'Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      ],
    ]),
    holds('another image for a pod may be, another node not', async ({ make, patch, ask, ns }) => {
      const json = { type: 'application/json-patch+json' };
      await make('pods', pod('a', { nodeName: `n-${ns}` }));
      await patch('pods/a', [{ op: 'replace', path: '/spec/containers/0/image', value: 'two' }], json);
      const { body } = await ask('PATCH pods/a', { spec: { nodeName: 'elsewhere' } });
      // What follows is the difference between two Go structures.
      expect(body).toMatchObject({
        code: 422,
        reason: 'Invalid',
        message: like(
          /^Pod "a" is invalid: spec: Forbidden: pod updates may not change fields other than `spec\.containers\[\*\]\.image`,`spec\.initContainers\[\*\]\.image`,`spec\.activeDeadlineSeconds`,`spec\.tolerations` \(only additions to existing tolerations\),`spec\.terminationGracePeriodSeconds` \(allow it to be set to 1 if it was previously negative\)\n/,
        ),
        details: { name: 'a', kind: 'Pod', causes: [{ reason: 'FieldValueForbidden', field: 'spec' }] },
      });
    }),
    holds('a deployment is filled', async ({ make }) => {
      const made = await make('apps/v1/deployments', {
        ...deployment('web'),
        spec: { selector: { matchLabels: { app: 'web' } }, template: template('web') },
      });
      expect(made['spec']).toEqual({
        progressDeadlineSeconds: 600,
        replicas: 1,
        revisionHistoryLimit: 10,
        selector: { matchLabels: { app: 'web' } },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'main',
                image: 'pause',
                imagePullPolicy: 'Always',
                resources: {},
                terminationMessagePath: '/dev/termination-log',
                terminationMessagePolicy: 'File',
              },
            ],
            dnsPolicy: 'ClusterFirst',
            restartPolicy: 'Always',
            schedulerName: 'default-scheduler',
            securityContext: {},
            terminationGracePeriodSeconds: 30,
          },
        },
      });
    }),
    wrong(
      'a deployment that does not select its own pods',
      'apps/v1/deployments',
      deployment('web', { template: template('other') }),
      [
        [
          'spec.template.metadata.labels',
          'FieldValueInvalid',
          'Invalid value: {"app":"other"}: `selector` does not match template `labels`',
        ],
      ],
    ),
    wrong('a deployment without a selector', 'apps/v1/deployments', deployment('web', { selector: undefined }), [
      ['spec.selector', 'FieldValueRequired', 'Required value'],
      [
        'spec.template.metadata.labels',
        'FieldValueInvalid',
        'Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    ]),
    holds('a service is given an address', async ({ make, ns }) => {
      const made = await make('services', service('web'));
      const address = (made['spec'] as { clusterIP: string }).clusterIP;
      expect(address).toMatch(/^10\.96\.\d+\.\d+$/);
      expect(plain(made)).toEqual({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: ns },
        spec: {
          clusterIP: address,
          clusterIPs: [address],
          internalTrafficPolicy: 'Cluster',
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
          sessionAffinity: 'None',
          type: 'ClusterIP',
        },
        status: { loadBalancer: {} },
      });
    }),
    holds('a headless service has none', async ({ make }) => {
      expect((await make('services', service('web', { clusterIP: 'None' })))['spec']).toMatchObject({
        clusterIP: 'None',
        clusterIPs: ['None'],
      });
    }),
    holds('a load balancer has ports of the nodes', async ({ make }) => {
      const { spec } = (await make('services', service('web', { type: 'LoadBalancer' }))) as unknown as {
        spec: { ports: { nodePort: number }[]; allocateLoadBalancerNodePorts: boolean; externalTrafficPolicy: string };
      };
      expect(spec.allocateLoadBalancerNodePorts).toBe(true);
      expect(spec.externalTrafficPolicy).toBe('Cluster');
      expect(spec.ports[0]?.nodePort).toBeGreaterThanOrEqual(30000);
    }),
    wrong('a service without ports', 'services', service('web', { ports: [] }), [
      ['spec.ports', 'FieldValueRequired', 'Required value'],
    ]),
    wrong('a port that there is none of', 'services', service('web', { ports: [{ port: 70000 }] }), [
      ['spec.ports[0].port', 'FieldValueInvalid', 'Invalid value: 70000: must be between 1 and 65535, inclusive'],
      ['spec.ports[0].targetPort', 'FieldValueInvalid', 'Invalid value: 70000: must be between 1 and 65535, inclusive'],
    ]),
    wrong(
      'a secret of TLS without a key',
      'secrets',
      secret('a', { type: 'kubernetes.io/tls', data: { 'tls.crt': 'eA==' } }),
      [['data[tls.key]', 'FieldValueRequired', 'Required value']],
    ),
    holds('a job is filled, and chooses its own selector', async ({ make }) => {
      const made = await make('batch/v1/jobs', {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'work' },
        spec: {
          suspend: true,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'pause' }] } },
        },
      });
      expect(made['spec']).toMatchObject({
        backoffLimit: 6,
        completionMode: 'NonIndexed',
        completions: 1,
        parallelism: 1,
        manualSelector: false,
        podReplacementPolicy: 'TerminatingOrFailed',
        selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': made.metadata.uid } },
        suspend: true,
      });
    }),
    wrong(
      'a job that starts again for ever',
      'batch/v1/jobs',
      {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'work' },
        spec: { template: { spec: { containers: [{ name: 'main', image: 'pause' }] } } },
      },
      [
        [
          'spec.template.spec.restartPolicy',
          'FieldValueRequired',
          'Required value: valid values: "OnFailure", "Never"',
        ],
      ],
    ),
    holds('a lease is kept to the microsecond', async ({ make }) => {
      const made = await make('coordination.k8s.io/v1/leases', {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'a' },
        spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-02T03:04:05.000006Z' },
      });
      expect(made['spec']).toEqual({
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        renewTime: '2026-01-02T03:04:05.000006Z',
      });
    }),
    holds('an event is kept, and found by what it is about', async ({ make, list, ns }) => {
      await make('events', {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'a.1' },
        involvedObject: { kind: 'Pod', name: 'a', namespace: ns },
        reason: 'Tested',
        message: 'it was',
        type: 'Normal',
      });
      const found = await list('events?fieldSelector=involvedObject.name%3Da,reason%3DTested');
      expect(found.items).toHaveLength(1);
      expect((await list('events.k8s.io/v1/events')).items).toHaveLength(1);
    }),
    refuses(
      'an event about an object of another namespace',
      {
        call: 'POST events',
        body: {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: 'a.1' },
          involvedObject: { kind: 'Pod', name: 'a', namespace: 'other' },
        },
      },
      invalid('Event', 'a.1', [
        ['involvedObject.namespace', 'FieldValueInvalid', 'Invalid value: "other": does not match event.namespace'],
      ]),
    ),
    holds('a node is there as it is made', async ({ make, remove, ns }) => {
      const made = await make('/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: `n-${ns}` },
        spec: { taints: [{ key: 'example.com/x', effect: 'NoSchedule' }] },
      });
      expect(made).toMatchObject({
        metadata: { creationTimestamp: time() },
        spec: { taints: expect.arrayContaining([{ key: 'example.com/x', effect: 'NoSchedule' }]) as unknown },
      });
      await remove(`/api/v1/nodes/n-${ns}`);
    }),
    wrong(
      'a taint that does nothing',
      '/api/v1/nodes',
      {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n-wrong' },
        spec: { taints: [{ key: 'a', effect: 'Maybe' }] },
      },
      [
        [
          'metadata.taints[0].effect',
          'FieldValueNotSupported',
          'Unsupported value: "Maybe": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        ],
      ],
    ),
    holds('a class of storage says when it binds', async ({ make, remove, ns }) => {
      const made = await make('/apis/storage.k8s.io/v1/storageclasses', {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: ns },
        provisioner: 'example.com/none',
      });
      expect(made).toMatchObject({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });
      await remove(`/apis/storage.k8s.io/v1/storageclasses/${ns}`);
    }),
    holds('a claim waits', async ({ make }) => {
      const made = await make('persistentvolumeclaims', {
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'a' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      });
      expect(plain(made)).toMatchObject({
        metadata: { finalizers: ['kubernetes.io/pvc-protection'] },
        spec: { volumeMode: 'Filesystem' },
        status: { phase: 'Pending' },
      });
    }),
    holds('a network policy is filled', async ({ make }) => {
      const made = await make('networking.k8s.io/v1/networkpolicies', {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'a' },
        spec: { podSelector: {} },
      });
      expect(made['spec']).toEqual({ podSelector: {}, policyTypes: ['Ingress'] });
    }),
    wrong(
      'a role without verbs',
      'rbac.authorization.k8s.io/v1/roles',
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: { name: 'a' },
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }],
      },
      [['rules[0].verbs', 'FieldValueRequired', 'Required value: verbs must contain at least one value']],
    ),
    holds('quantities are kept as they are written, in their shortest form', async ({ make, until, ask }) => {
      await until('there is an account', async () => (await ask('GET serviceaccounts/default')).status === 200);
      const made = await make(
        'pods',
        pod('a', {
          containers: [
            {
              name: 'main',
              image: 'pause',
              resources: { requests: { cpu: '0.5', memory: '1024Mi' }, limits: { cpu: '1000m', memory: '2Gi' } },
            },
          ],
        }),
      );
      expect(made).toMatchObject({
        spec: {
          containers: [
            { resources: { requests: { cpu: '500m', memory: '1Gi' }, limits: { cpu: '1', memory: '2Gi' } } },
          ],
        },
        status: { qosClass: 'Burstable' },
      });
    }),
  ],
};

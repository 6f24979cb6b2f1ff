import type { Run } from './kubectl-pair.ts';

/** One command of the story, and how far its output is compared. */
export type Command = Run & {
  readonly command: string;
  /** Asked again and again until the real server says so: something must happen first. */
  readonly until?: RegExp;
  /** Lines in no order of their own. */
  readonly unordered?: true;
  /** Only lines like this; the rest is prose of its server. */
  readonly lines?: RegExp;
  readonly why?: string;
};

const yaml = (...documents: readonly object[]): string => documents.map((each) => JSON.stringify(each)).join('\n---\n');

const web = (more: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'registry.example/web:1',
            ports: [{ containerPort: 80 }],
            resources: { requests: { cpu: '100m' } },
          },
        ],
      },
    },
    ...more,
  },
});

const settings = (colour: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop' },
  data: { colour, size: 'large' },
});

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'bench-1', labels: { 'kubernetes.io/hostname': 'bench-1', 'node-role.kubernetes.io/worker': '' } },
};

const nodeStatus = {
  status: {
    capacity: { cpu: '4', memory: '8Gi', pods: '110' },
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    addresses: [
      { type: 'InternalIP', address: '10.10.0.21' },
      { type: 'Hostname', address: 'bench-1' },
    ],
    nodeInfo: {
      kubeletVersion: 'v1.36.3',
      osImage: 'Talos (v1.13.9)',
      kernelVersion: '6.18.0-talos',
      containerRuntimeVersion: 'containerd://2.2.0',
      architecture: 'amd64',
      operatingSystem: 'linux',
      machineID: 'm',
      systemUUID: 'u',
      bootID: 'b',
      kubeProxyVersion: '',
    },
  },
};

const loner = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'loner', namespace: 'shop', labels: { app: 'loner' } },
  spec: {
    nodeName: 'bench-1',
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'main', image: 'registry.example/loner:1' }],
  },
};

const lonerStatus = {
  status: {
    phase: 'Running',
    podIP: '10.244.0.7',
    podIPs: [{ ip: '10.244.0.7' }],
    hostIP: '10.10.0.21',
    startTime: '2026-01-01T00:00:00Z',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }],
    containerStatuses: [
      {
        name: 'main',
        image: 'registry.example/loner:1',
        imageID: 'sha256:1',
        containerID: 'containerd://1',
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
      },
    ],
  },
};

const gnomes = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gnomes.garden.example.com' },
  spec: {
    group: 'garden.example.com',
    scope: 'Namespaced',
    names: {
      plural: 'gnomes',
      singular: 'gnome',
      kind: 'Gnome',
      listKind: 'GnomeList',
      shortNames: ['gn'],
      categories: ['all'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [{ name: 'Hat', type: 'string', jsonPath: '.spec.hat' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'One who stands in the garden.',
            properties: {
              spec: {
                type: 'object',
                description: 'How it looks.',
                required: ['hat'],
                properties: {
                  hat: { type: 'string', description: 'What is on top.', enum: ['red', 'green'] },
                  replicas: { type: 'integer', default: 1 },
                },
              },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

export const files: Readonly<Record<string, string>> = {
  'web.yaml': yaml(web()),
  'web-2.yaml': yaml(web({ minReadySeconds: 5 })),
  'settings.yaml': yaml(settings('red')),
  'nobodys.yaml': yaml({ apiVersion: 'x.example.org/v1', kind: 'Nobodys', metadata: { name: 'a' } }),
  'settings-blue.yaml': yaml(settings('blue')),
  'settings-green.yaml': yaml(settings('green')),
  'wrong.yaml': yaml(web({ replicas: -1 })),
  'unknown.yaml': yaml({ ...settings('red'), dada: 1 }),
  'node.yaml': yaml(node),
  'node-status.yaml': JSON.stringify(nodeStatus),
  'loner.yaml': yaml(loner),
  'loner-status.yaml': JSON.stringify(lonerStatus),
  'gnomes.yaml': yaml(gnomes),
  'bob.yaml': yaml({
    apiVersion: 'garden.example.com/v1',
    kind: 'Gnome',
    metadata: { name: 'bob', namespace: 'shop' },
    spec: { hat: 'red' },
  }),
  'pink.yaml': yaml({
    apiVersion: 'garden.example.com/v1',
    kind: 'Gnome',
    metadata: { name: 'pink', namespace: 'shop' },
    spec: { hat: 'pink' },
  }),
  'editor.sh': '#!/bin/sh\nsed -i -e "s/colour: .*/colour: violet/" "$1"\n',
  'bad-editor.sh': '#!/bin/sh\nexit 0\n',
};

const say = (command: string, more: Omit<Command, 'command'> = {}): Command => ({ command, ...more });
const fieldLines = /^(GROUP|KIND|VERSION|FIELD)|^\s+\S+\t<|^ {2}\S+\s+<|^ENUM/;

export const story: readonly (readonly [chapter: string, commands: readonly Command[]])[] = [
  [
    'the server',
    [
      say('version'),
      say('cluster-info'),
      say('api-versions'),
      say('api-resources --api-group=apps'),
      say('api-resources --api-group=rbac.authorization.k8s.io -o name'),
      say(`api-resources --api-group='' --namespaced=false`),
      say('get --raw /readyz'),
      say('config view'),
      say('config current-context'),
      say('auth whoami'),
      say('auth can-i delete nodes'),
      say('auth can-i list secrets --as=eva -n default'),
      say('get namespaces'),
    ],
  ],
  [
    'making things',
    [
      say('create namespace shop'),
      say('create namespace shop'),
      say('get serviceaccounts -n shop', { until: /default/ }),
      say('create configmap colours -n shop --from-literal=a=red --from-literal=b=blue'),
      say('create secret generic pass -n shop --from-literal=word=hidden'),
      say('create serviceaccount robot -n shop'),
      say('create role reader -n shop --verb=get,list --resource=configmaps,pods'),
      say('create rolebinding reader -n shop --role=reader --serviceaccount=shop:robot'),
      say('auth can-i list pods -n shop --as=system:serviceaccount:shop:robot', { until: /yes/ }),
      say('create token robot -n shop'),
      say('create service clusterip inner -n shop --tcp=80:8080'),
      say('create deployment shop -n shop --image=registry.example/shop:1 --replicas=0'),
      say('create quota few -n shop --hard=count/secrets=9'),
      say('create -f settings.yaml --dry-run=server'),
      say('create -f wrong.yaml'),
      say('create -f unknown.yaml'),
      say('create deployment x -n shop --image=y --dry-run=server -o yaml'),
    ],
  ],
  [
    'looking',
    [
      say('get configmaps -n shop'),
      say('get configmap colours -n shop -o yaml'),
      say('get configmap colours -n shop -o json'),
      say(`get configmap colours -n shop -o jsonpath='{.data.a}'`),
      say('get configmap colours -n shop -o custom-columns=NAME:.metadata.name,A:.data.a'),
      say('get configmap colours -n shop -o name'),
      say('get configmap nothing -n shop'),
      say('get gnomes'),
      say('get secrets -n shop --show-labels'),
      say('get all -n shop'),
      say('get deployments -n shop -o wide'),
      say('get services -n shop'),
      say('get roles,rolebindings -n shop'),
      say('get configmaps -n shop -l a=b'),
      say('get configmaps -n shop --field-selector metadata.name=colours'),
      say('get configmaps -A --field-selector metadata.name=colours'),
      say('describe configmap colours -n shop'),
      say('describe secret pass -n shop'),
      say('describe role reader -n shop'),
      say('describe rolebinding reader -n shop'),
      say('describe serviceaccount robot -n shop'),
      say('describe service inner -n shop'),
      say('describe namespace shop', { until: /count\/secrets +1/ }),
      say('describe quota few -n shop'),
      say('get configmaps -n shop --watch', { forMs: 1500 }),
      say('explain configmap', { lines: fieldLines }),
      say('explain deployment.spec.strategy', { lines: fieldLines }),
      say('explain pod.spec.containers.ports', { lines: fieldLines }),
      say('explain pod.spec.nothing'),
    ],
  ],
  [
    'applying',
    [
      say('apply -f nobodys.yaml'),
      say('create -f nobodys.yaml'),
      say('apply -f settings.yaml'),
      say('apply -f settings.yaml'),
      say('diff -f settings-blue.yaml'),
      say('diff -f settings.yaml'),
      say('apply -f settings-blue.yaml'),
      say('get configmap settings -n shop -o yaml'),
      say('apply -f settings-green.yaml --server-side'),
      say('apply -f settings-green.yaml --server-side --force-conflicts'),
      say('get configmap settings -n shop -o yaml --show-managed-fields'),
      say('apply -f settings-green.yaml --server-side --field-manager=other'),
      say('apply -f settings-blue.yaml --server-side --field-manager=third'),
      say('apply view-last-applied configmap settings -n shop'),
      say('apply -f web.yaml'),
      say('apply -f web-2.yaml --dry-run=server'),
      say('apply -f web-2.yaml'),
      say('apply -f wrong.yaml'),
      say('replace -f settings.yaml'),
    ],
  ],
  [
    'changing',
    [
      say(`patch configmap settings -n shop --type=merge -p '{"data":{"size":"small"}}'`),
      say(`patch configmap settings -n shop --type=json -p '[{"op":"add","path":"/data/more","value":"x"}]'`),
      say(
        `patch deployment web -n shop --type=strategic -p '{"spec":{"template":{"spec":{"containers":[{"name":"main","env":[{"name":"A","value":"1"}]}]}}}}'`,
      ),
      say(`patch configmap settings -n shop --type=json -p '[{"op":"remove","path":"/data/nothing"}]'`),
      say(`patch configmap settings -n shop --type=merge -p '{"data":{"size":"small"}}'`),
      say('edit configmap settings -n shop', { env: { KUBE_EDITOR: './editor.sh' } }),
      say('edit configmap settings -n shop', { env: { KUBE_EDITOR: './bad-editor.sh' } }),
      say(`get configmap settings -n shop -o jsonpath='{.data}'`),
      say('label configmap settings -n shop tier=one'),
      say('label configmap settings -n shop tier=two'),
      say('label configmap settings -n shop tier=two --overwrite'),
      say('label configmap settings -n shop tier-'),
      say('annotate configmap settings -n shop note=hello'),
      say('annotate configmap settings -n shop note-'),
      say('scale deployment web -n shop --replicas=2'),
      say('scale deployment web -n shop --current-replicas=7 --replicas=3'),
      say('get pods -n shop -l app=web', { until: /web.*web/s }),
      say('scale deployment web -n shop --replicas=0'),
      say('get pods -n shop -l app=web', { until: /^$/ }),
      say('set image deployment/web -n shop main=registry.example/web:2'),
      say('rollout status deployment web -n shop', { until: /success/ }),
      say('rollout history deployment web -n shop', { until: /3/ }),
      say('rollout undo deployment web -n shop'),
      say('rollout pause deployment web -n shop'),
      say('rollout resume deployment web -n shop'),
      say('rollout restart deployment web -n shop'),
      say('wait deployment web -n shop --for=condition=Available --timeout=20s'),
      say(`wait deployment web -n shop --for=jsonpath='{.spec.replicas}'=0 --timeout=20s`),
      say('wait configmap nothing -n shop --for=delete --timeout=5s'),
      say('wait configmap settings -n shop --for=condition=Ready --timeout=1s'),
      say('autoscale deployment web -n shop --min=1 --max=3'),
      say('expose deployment web -n shop --port=80'),
    ],
  ],
  [
    'nodes and pods',
    [
      say('apply -f node.yaml'),
      say('patch node bench-1 --subresource=status --type=merge --patch-file node-status.yaml'),
      say(`get node bench-1 -o jsonpath='{.spec.taints}'`, { until: /^$/ }),
      say('taint node bench-1 node.kubernetes.io/not-ready:NoSchedule-'),
      say('cordon bench-1'),
      say('cordon bench-1'),
      say('get nodes'),
      say('get nodes -o wide'),
      say('taint node bench-1 dedicated=garden:NoSchedule'),
      say('taint node bench-1 dedicated-'),
      say('taint node bench-1 dedicated-'),
      say('uncordon bench-1'),
      say('apply -f loner.yaml'),
      say('patch pod loner -n shop --subresource=status --type=merge --patch-file loner-status.yaml'),
      say('get pods -n shop'),
      say('get pods -n shop -o wide'),
      say('describe pod loner -n shop'),
      say('logs nothing -n shop'),
      say('logs loner -n shop -c other'),
      say('drain bench-1 --timeout=20s'),
      say('drain bench-1 --force --timeout=20s'),
      say('get pods -n shop'),
      say('events -n shop --for pod/nothing'),
      say('delete node bench-1'),
    ],
  ],
  [
    'kinds of our own',
    [
      say('apply -f gnomes.yaml'),
      say('wait crd gnomes.garden.example.com --for=condition=Established --timeout=20s'),
      say('get crd gnomes.garden.example.com -o name'),
      say('api-resources --api-group=garden.example.com', { until: /gnomes/ }),
      say('apply -f bob.yaml'),
      say('apply -f pink.yaml'),
      say('get gnomes -n shop'),
      say('get gn -n shop -o yaml'),
      say('describe gnome bob -n shop'),
      say('scale gnome bob -n shop --replicas=3'),
      say('explain gnome.spec', { until: /hat/ }),
      say(`patch gnome bob -n shop --type=strategic -p '{"spec":{"hat":"green"}}'`),
      say('get all -n shop'),
      say('delete -f bob.yaml'),
      say('delete -f gnomes.yaml'),
    ],
  ],
  [
    'ending things',
    [
      say('delete configmap nothing -n shop'),
      say('delete configmap nothing -n shop --ignore-not-found'),
      say('delete deployment shop -n shop --cascade=foreground'),
      say('delete deployment web -n shop --cascade=orphan'),
      say('get replicasets -n shop -o name', { until: /web/ }),
      say('delete replicasets -n shop --all', { unordered: true }),
      say('delete configmap colours -n shop --dry-run=server'),
      say('delete configmaps,secrets -n shop -l a=b'),
      say('delete namespace shop'),
      say('get namespace shop'),
    ],
  ],
];

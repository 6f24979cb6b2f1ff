import { fill, isTree, text, type Tree, tree, trees, within } from './tree.ts';

/** What a pod’s spec says where nobody says anything, wherever it stands. */
export function defaultPodSpec(spec: Tree): void {
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  });
  if (text(spec['serviceAccountName']) !== '') spec['serviceAccount'] = spec['serviceAccountName'];
  else if (text(spec['serviceAccount']) !== '') spec['serviceAccountName'] = spec['serviceAccount'];
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of trees(spec[list])) defaultContainer(container, spec['hostNetwork'] === true);
  }
  for (const volume of trees(spec['volumes'])) defaultVolume(volume);
}

function defaultContainer(container: Tree, hostNetwork: boolean): void {
  fill(container, {
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicy(text(container['image'])),
  });
  for (const port of trees(container['ports'])) {
    fill(port, { protocol: 'TCP' });
    if (hostNetwork && (port['hostPort'] ?? 0) === 0) port['hostPort'] = port['containerPort'];
  }
  for (const variable of trees(container['env'])) defaultFieldRef(tree(variable['valueFrom']));
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (isTree(container[name])) defaultProbe(container[name]);
  }
  const lifecycle = tree(container['lifecycle']);
  for (const name of ['postStart', 'preStop']) defaultHttpGet(tree(lifecycle[name]));
  const resources = tree(container['resources']);
  if (isTree(resources['limits'])) {
    const requests = within(resources, 'requests');
    for (const [name, limit] of Object.entries(resources['limits'])) requests[name] ??= limit;
  }
}

function pullPolicy(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  if (name.includes('@')) return 'IfNotPresent';
  const tag = name.split(':')[1];
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultProbe(probe: Tree): void {
  for (const [name, value] of Object.entries({
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  })) {
    if ((probe[name] ?? 0) === 0) probe[name] = value;
  }
  defaultHttpGet(probe);
  if (isTree(probe['grpc'])) probe['grpc']['service'] ??= '';
}

function defaultHttpGet({ httpGet }: Tree): void {
  if (isTree(httpGet)) fill(httpGet, { path: '/', scheme: 'HTTP' });
}

function defaultFieldRef({ fieldRef }: Tree): void {
  if (isTree(fieldRef)) fill(fieldRef, { apiVersion: 'v1' });
}

const fileMode = 0o644;

function defaultVolume(volume: Tree): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume['emptyDir'] = {};
  for (const name of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const source = volume[name];
    if (isTree(source)) source['defaultMode'] ??= fileMode;
  }
  for (const item of trees(tree(volume['downwardAPI'])['items'])) defaultFieldRef(item);
  for (const source of trees(tree(volume['projected'])['sources'])) {
    const token = source['serviceAccountToken'];
    if (isTree(token)) token['expirationSeconds'] ??= 3600;
    for (const item of trees(tree(source['downwardAPI'])['items'])) defaultFieldRef(item);
  }
  defaultVolumeSource(volume);
  const template = tree(tree(volume['ephemeral'])['volumeClaimTemplate']);
  if (isTree(template['spec'])) defaultClaimSpec(template['spec']);
}

/** Of volumes in pods and of persistent ones. */
export function defaultVolumeSource(source: Tree): void {
  if (isTree(source['hostPath'])) source['hostPath']['type'] ??= '';
  if (isTree(source['iscsi'])) fill(source['iscsi'], { iscsiInterface: 'default' });
  if (isTree(source['rbd'])) fill(source['rbd'], { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' });
}

export function defaultClaimSpec(spec: Tree): void {
  fill(spec, { volumeMode: 'Filesystem' });
  within(spec, 'resources');
}

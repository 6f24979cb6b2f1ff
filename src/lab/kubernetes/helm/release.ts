import { parseAllDocuments, stringify } from 'yaml';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { Api } from '../api.ts';
import type { RenderedChart } from './charts.ts';
import { HelmError, type HelmOrder } from './order.ts';
import { recordIn, secretOf, type HelmRecord, type Values } from './record.ts';

const helm = { manager: 'helm' };

/** Installs or upgrades a release, as helm does without being told to wait; what it says about it. */
export function upgradeRelease(api: Api, now: Date, order: HelmOrder, chart: RenderedChart, values: Values): string {
  const { release: name, namespace } = order;
  const history = historyOf(api, namespace, name);
  const [newest] = history;
  if (newest === undefined && !order.install)
    throw new HelmError(`Error: UPGRADE FAILED: "${name}" has no deployed releases`);
  if (newest?.info.status.startsWith('pending-') === true)
    throw new HelmError('Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress');
  const isFirst = newest === undefined || newest.info.status === 'uninstalled';
  const objects = chart.objects.map((object) => marked(object, name, namespace));
  for (const object of objects) mustBeOurs(api, object, order, isFirst);
  for (const object of objects) put(api, object);
  for (const object of gone(newest, objects)) remove(api, object);
  const version = (newest?.version ?? 0) + 1;
  const moment = now.toISOString();
  for (const older of history)
    if (older.info.status === 'deployed')
      put(api, secretOf({ ...older, info: { ...older.info, status: 'superseded' } }, now));
  put(
    api,
    secretOf(
      {
        name,
        namespace,
        version,
        info: {
          first_deployed: isFirst ? moment : newest.info.first_deployed,
          last_deployed: moment,
          deleted: '',
          description: isFirst ? 'Install complete' : 'Upgrade complete',
          status: 'deployed',
          notes: chart.notes,
        },
        chart: {
          metadata: { ...chart.metadata, apiVersion: 'v2', type: 'application' },
          lock: null,
          templates: [],
          values: {},
          schema: null,
          files: [],
        },
        config: values,
        manifest: objects.map((object) => `---\n${stringify(object)}`).join(''),
      },
      now,
    ),
  );
  if (order.historyMax > 0) for (const old of history.slice(order.historyMax - 1)) remove(api, secretOf(old, now));
  return [
    ...(isFirst
      ? [`Release "${name}" does not exist. Installing it now.`]
      : [`Release "${name}" has been upgraded. Happy Helming!`]),
    `NAME: ${name}`,
    `LAST DEPLOYED: ${now.toUTCString()}`,
    `NAMESPACE: ${namespace}`,
    'STATUS: deployed',
    `REVISION: ${version}`,
    'TEST SUITE: None',
    'NOTES:',
    chart.notes,
  ].join('\n');
}

/** The newest first. */
const historyOf = (api: Api, namespace: string, name: string): readonly HelmRecord[] =>
  api
    .list('/secrets', namespace)
    .filter(({ metadata: { labels } }) => labels?.['owner'] === 'helm' && labels['name'] === name)
    .map(recordIn)
    .filter((record) => record !== undefined)
    .toSorted((one, other) => other.version - one.version);

const releaseName = 'meta.helm.sh/release-name';

const marked = (object: KubeObject, name: string, namespace: string): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    labels: { ...object.metadata.labels, 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: {
      ...object.metadata.annotations,
      [releaseName]: name,
      'meta.helm.sh/release-namespace': namespace,
    },
  },
});

function resourceOf(api: Api, { apiVersion, kind }: KubeObject): string {
  const definition = api.definition(apiVersion, kind);
  if (definition === undefined)
    throw new HelmError(
      `Error: unable to build kubernetes objects from release manifest: no matches for kind "${kind}" in version "${apiVersion}"`,
    );
  return `${definition.group}/${definition.resource}`;
}

const found = (api: Api, object: KubeObject): KubeObject | undefined =>
  api.get(resourceOf(api, object), object.metadata.namespace, object.metadata.name ?? '');

/** Helm takes nothing that does not carry its name. */
function mustBeOurs(api: Api, object: KubeObject, { release, namespace }: HelmOrder, isFirst: boolean): void {
  const there = found(api, object);
  if (there === undefined || there.metadata.annotations?.[releaseName] === release) return;
  const { name = '', namespace: own = '' } = object.metadata;
  throw new HelmError(
    `Error: ${isFirst ? '' : 'UPGRADE FAILED: '}unable to continue with ${isFirst ? 'install' : 'update'}: ${object.kind} "${name}" in namespace "${own}" exists and cannot be imported into the current release: invalid ownership metadata; annotation validation error: missing key "${releaseName}": must be set to "${release}"; annotation validation error: missing key "meta.helm.sh/release-namespace": must be set to "${namespace}"`,
  );
}

/** What the cluster has put into an object stays; what the chart says is as the chart says it. */
function put(api: Api, object: KubeObject): void {
  const resource = resourceOf(api, object);
  const { namespace, name = '' } = object.metadata;
  if (found(api, object) === undefined) {
    api.create(resource, object, helm);
    return;
  }
  const { apiVersion: _, kind: __, metadata, ...fields } = object;
  api.update(
    resource,
    namespace,
    name,
    (live) => {
      const meta = live['metadata'] as { labels?: object; annotations?: object };
      meta.labels = { ...meta.labels, ...metadata.labels };
      if (metadata.annotations !== undefined) meta.annotations = { ...meta.annotations, ...metadata.annotations };
      Object.assign(live, fields);
    },
    helm,
  );
}

function remove(api: Api, object: KubeObject): void {
  const { namespace, name = '' } = object.metadata;
  if (found(api, object) !== undefined) api.delete(resourceOf(api, object), namespace, name, {}, helm);
}

const titleOf = ({ kind, metadata }: KubeObject): string =>
  `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

/** What the last revision had and this one has not. */
function gone(newest: HelmRecord | undefined, objects: readonly KubeObject[]): readonly KubeObject[] {
  if (newest === undefined) return [];
  const kept = new Set(objects.map(titleOf));
  return manifestsIn(newest.manifest).filter((object) => !kept.has(titleOf(object)));
}

const manifestsIn = (text: string): readonly KubeObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as KubeObject | null)
    .filter((object) => object !== null);

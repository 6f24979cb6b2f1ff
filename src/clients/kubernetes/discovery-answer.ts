import type { ApiResource } from '../../wire/kubernetes/objects.ts';
import { isRecord, type Fields } from './record.ts';

/** What discovery has told, and which versions could not be told because whoever serves them does not answer. */
export type Known = {
  readonly resources: readonly ApiResource[];
  readonly silent: readonly string[];
};

/** The list that a server gives who knows to put everything into one answer; undefined for any other. */
export function readAggregated(answer: unknown): Known | undefined {
  if (!isRecord(answer) || answer['kind'] !== 'APIGroupDiscoveryList') return undefined;
  const resources: ApiResource[] = [];
  const silent: string[] = [];
  for (const item of records(answer['items'])) {
    const group = isRecord(item['metadata']) ? text(item['metadata']['name']) : '';
    for (const version of records(item['versions'])) {
      const name = text(version['version']);
      if (version['freshness'] === 'Stale') silent.push(group === '' ? name : `${group}/${name}`);
      for (const resource of records(version['resources'])) resources.push(...aggregatedRows(resource, group, name));
    }
  }
  return { resources, silent };
}

function aggregatedRows(resource: Fields, group: string, version: string): readonly ApiResource[] {
  const name = text(resource['resource']);
  const namespaced = resource['scope'] === 'Namespaced';
  const kind = kindOf(resource, { group, version });
  const own: ApiResource = {
    name,
    singularName: text(resource['singularResource']),
    namespaced,
    ...kind,
    verbs: texts(resource['verbs']),
    ...optional(resource),
  };
  const below = records(resource['subresources']).map((sub): ApiResource => ({
    name: `${name}/${text(sub['subresource'])}`,
    singularName: '',
    namespaced,
    ...kindOf(sub, { group, version }),
    verbs: texts(sub['verbs']),
  }));
  return [own, ...below];
}

function kindOf(row: Fields, own: { readonly group: string; readonly version: string }) {
  const kind = isRecord(row['responseKind']) ? row['responseKind'] : {};
  // A kind of another group, as `Scale` is, says which; its own is left empty.
  const { group, version } = own;
  return {
    kind: text(kind['kind']),
    group: text(kind['group']) || group,
    version: text(kind['version']) || version,
    servedBy: group === '' ? version : `${group}/${version}`,
  };
}

/** One version of one group, as servers have always told it. */
export function readLegacy(answer: unknown): readonly ApiResource[] {
  if (!isRecord(answer) || answer['kind'] !== 'APIResourceList') return [];
  const groupVersion = text(answer['groupVersion']);
  const [group, version] = splitGroupVersion(groupVersion);
  return records(answer['resources']).map((row) => ({
    name: text(row['name']),
    singularName: text(row['singularName']),
    namespaced: row['namespaced'] === true,
    kind: text(row['kind']),
    group: text(row['group']) || group,
    version: text(row['version']) || version,
    servedBy: groupVersion,
    verbs: texts(row['verbs']),
    ...optional(row),
  }));
}

/** Every version of every group that `/api` and `/apis` name. */
export function groupVersionsIn(core: unknown, groups: unknown): readonly string[] {
  const ofCore = isRecord(core) ? texts(core['versions']) : [];
  const others = (isRecord(groups) ? records(groups['groups']) : []).flatMap((group) =>
    records(group['versions']).map((version) => text(version['groupVersion'])),
  );
  return [...ofCore, ...others];
}

const splitGroupVersion = (groupVersion: string): readonly [group: string, version: string] => {
  const slash = groupVersion.indexOf('/');
  return slash === -1 ? ['', groupVersion] : [groupVersion.slice(0, slash), groupVersion.slice(slash + 1)];
};

function optional(row: Fields): Pick<ApiResource, 'shortNames' | 'categories' | 'storageVersionHash'> {
  const hash = text(row['storageVersionHash']);
  return {
    ...(Array.isArray(row['shortNames']) ? { shortNames: texts(row['shortNames']) } : {}),
    ...(Array.isArray(row['categories']) ? { categories: texts(row['categories']) } : {}),
    ...(hash === '' ? {} : { storageVersionHash: hash }),
  };
}

const records = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(text) : []);

import { answer, type Call, type Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { died } from '../refusal.ts';
import { contentsOf, digestOf, isShared, storageFile, type StorageDefinition } from './definition.ts';
import { isStorageType, storageKinds, type StorageType } from './kinds.ts';
import { shuffled } from './shuffled.ts';

const numbers = [
  'shared',
  'disable',
  'krbd',
  'sparse',
  'saferemove',
  'tagged_only',
  'create-base-path',
  'create-subdirs',
  'mkdir',
];

/** A storage as storage.cfg defines it. */
function rowOf({ datacenter }: Call, definition: StorageDefinition): Readonly<Record<string, unknown>> {
  const properties = [...definition.properties].map(([key, value]): [string, string | number] => [
    key,
    numbers.includes(key) ? Number(value) : value,
  ]);
  const contents = shuffled(contentsOf(definition), datacenter.random);
  return {
    ...Object.fromEntries(properties),
    storage: definition.id,
    type: definition.type,
    content: contents.length === 0 ? 'none' : contents.join(','),
    ...(isShared(definition) ? { shared: 1 } : {}),
    digest: digestOf(storageFile(datacenter.storages.definitions.values())),
  };
}

const ours = ['storage', 'type', 'digest', 'delete', 'node'];

/** What a request sets, checked against what a storage of this type has. */
function settings(call: Call, type: StorageType, create: boolean): ReadonlyMap<string, string> {
  const { fixed, optional, contents } = storageKinds[type];
  const given = new Map<string, string>();
  for (const key of Object.keys(call.params)) {
    const value = call.text(key);
    if (ours.includes(key) || value === undefined) continue;
    if (!create && fixed.includes(key)) throw died(`can't change value of fixed parameter '${key}'`);
    if (!fixed.includes(key) && !optional.includes(key)) throw died(`unexpected property '${key}'`);
    given.set(key, key === 'content' || key === 'nodes' ? call.list(key).join(',') : value);
  }
  const wanted = given.get('content')?.split(',');
  if (wanted?.includes('none') === true && wanted.length > 1)
    throw died("unable to combine 'none' with other content types");
  if (wanted !== undefined) {
    const kept = wanted.filter((each) => each === 'none' || contents.some((known) => known === each));
    given.set('content', kept.length === 0 ? 'none' : kept.join(','));
  }
  if (create)
    for (const key of fixed)
      if (!optional.includes(key) && !given.has(key)) throw died(`missing value for required option '${key}'`);
  if (given.get('nodes') === '') given.delete('nodes');
  return given;
}

const createStorage = (call: Call) => {
  const [id, type] = [call.text('storage') ?? '', call.text('type') ?? ''];
  if (!isStorageType(type)) throw died(`create storage failed: storages of type '${type}' do not exist in the lab`);
  const properties = settings(call, type, true);
  return changingFile(call, 'file-storage_cfg', 'create storage failed', () => {
    const { definitions } = call.datacenter.storages;
    if (definitions.has(id)) throw died(`storage ID '${id}' already defined`);
    definitions.set(id, { id, type, properties: withPath(id, type, properties) });
    return answer({ storage: id, type });
  });
};

/** The folder that a share is mounted on follows from its name. */
const withPath = (
  id: string,
  type: StorageType,
  properties: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  type === 'nfs' && !properties.has('path') ? new Map([...properties, ['path', `/mnt/pve/${id}`]]) : properties;

const updateStorage = (call: Call) =>
  changingFile(call, 'file-storage_cfg', 'update storage failed', () => {
    const { storages } = call.datacenter;
    const digest = call.text('digest');
    if (digest !== undefined && digest !== digestOf(storageFile(storages.definitions.values())))
      throw died('detected modified configuration - file changed by other user? Try again.');
    const { id, type, properties } = storages.definition(call.text('storage') ?? '');
    const set = settings(call, type, false);
    const changed = new Map(properties);
    for (const key of call.list('delete')) {
      mayBeDeleted(type, key);
      if (set.has(key)) throw died(`cannot set and delete property '${key}' at the same time!`);
      changed.delete(key);
    }
    for (const [key, value] of set) changed.set(key, value);
    storages.definitions.set(id, { id, type, properties: changed });
    return answer({ storage: id, type });
  });

function mayBeDeleted(type: StorageType, key: string): void {
  const { fixed, optional } = storageKinds[type];
  if (!fixed.includes(key) && !optional.includes(key)) throw died(`no such option '${key}'`);
  if (!optional.includes(key)) throw died(`unable to delete required option '${key}'`);
  if (fixed.includes(key)) throw died(`unable to delete fixed option '${key}'`);
}

const deleteStorage = (call: Call) =>
  changingFile(call, 'file-storage_cfg', 'delete storage failed', () => {
    const { access, storages } = call.datacenter;
    const { id } = storages.definition(call.text('storage') ?? '');
    storages.definitions.delete(id);
    access.forgetPath(`/storage/${id}`);
    return answer(null);
  });

export const storageConfigRoutes: Routes = {
  'GET /storage': (call) =>
    answer(
      [...call.datacenter.storages.definitions.values()]
        .filter(({ id }) => call.may(`/storage/${id}`, ['Datastore.Audit', 'Datastore.AllocateSpace'], 'any'))
        .filter(({ type }) => call.text('type') === undefined || call.text('type') === type)
        .map((definition) => rowOf(call, definition)),
    ),
  'POST /storage': createStorage,
  'GET /storage/{storage}': (call) =>
    answer(rowOf(call, call.datacenter.storages.definition(call.text('storage') ?? ''))),
  'PUT /storage/{storage}': updateStorage,
  'DELETE /storage/{storage}': deleteStorage,
};

import { answer, type Call, type Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { guestRow, storageRow, type Row } from '../cluster/resources.ts';
import { isOn } from '../storage/definition.ts';
import { died } from '../refusal.ts';
import type { Pool } from './pool.ts';

const lock = 'file-user_cfg';

const commentOf = ({ comment }: Pool): Row => (comment === undefined ? {} : { comment });

/** Guests and storages of the pool that are there, whoever may see them; they are as old as all statistics. */
function members(call: Call, pool: Pool): Row[] {
  const type = call.text('type');
  const guests = [...pool.vms]
    .toSorted((one, other) => (String(one) < String(other) ? -1 : 1))
    .flatMap((vmid) => known(guestRow(call, vmid)))
    .filter((row) => type === undefined || row['type'] === type);
  const storages = [...pool.storages].toSorted().flatMap((id) => known(storageMember(call, id)));
  return [...guests, ...(type === undefined || type === 'storage' ? storages : [])];
}

const known = (row: Row | undefined): Row[] => (row === undefined ? [] : [row]);

/** As the host that was asked sees it, or else the first one that has it. */
function storageMember(call: Call, id: string): Row | undefined {
  const { storages } = call.datacenter;
  const definition = storages.definitions.get(id);
  if (definition === undefined) return undefined;
  const node = isOn(definition, call.host.name) ? call.host.name : storages.hostsOf(id).toSorted()[0];
  return storageRow(call, definition, node ?? call.host.name);
}

function poolNamed({ datacenter }: Call, id: string): Pool {
  const pool = datacenter.pools.get(id);
  if (pool === undefined) throw died(`pool '${id}' does not exist`);
  return pool;
}

const listPools = (call: Call) => {
  const id = call.text('poolid');
  if (id !== undefined) {
    const pool = poolNamed(call, id);
    return answer([{ poolid: id, ...commentOf(pool), members: members(call, pool) }]);
  }
  return answer(
    [...call.datacenter.pools]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .filter(([poolid]) => call.may(`/pool/${poolid}`, ['Pool.Audit']))
      .map(([poolid, pool]) => ({ poolid, ...commentOf(pool) })),
  );
};

const createPool = (call: Call) =>
  changingFile(call, lock, 'create pool failed', () => {
    const { pools } = call.datacenter;
    const id = call.text('poolid') ?? '';
    if (pools.has(id)) throw died(`pool '${id}' already exists`);
    const parent = id.includes('/') ? id.slice(0, id.lastIndexOf('/')) : undefined;
    if (parent !== undefined && !pools.has(parent)) throw died(`parent '${parent}' of pool '${id}' does not exist`);
    if (!/^[a-z][^/]*$/i.test(id.slice((parent?.length ?? -1) + 1))) throw died('pool name must start with a letter');
    pools.set(id, { comment: call.text('comment'), vms: new Set(), storages: new Set() });
    return answer(null);
  });

/** All of it, or nothing. */
const updatePool = (call: Call) =>
  changingFile(call, lock, 'update pools failed', () => {
    const { pools } = call.datacenter;
    const id = call.text('poolid') ?? '';
    poolNamed(call, id);
    const changed = new Map(
      [...pools].map(([name, pool]) => [name, { ...pool, vms: new Set(pool.vms), storages: new Set(pool.storages) }]),
    );
    for (const vmid of call.list('vms')) changeGuest(call, id, changed, Number(vmid));
    for (const storage of call.list('storage')) changeStorage(call, id, changed, storage);
    const comment = call.text('comment');
    for (const [name, pool] of changed)
      pools.set(name, name === id && comment !== undefined ? { ...pool, comment } : pool);
    return answer(null);
  });

/** A guest is in one pool at most; nobody looks whether it is there at all. */
function changeGuest(call: Call, id: string, pools: ReadonlyMap<string, Pool>, vmid: number): void {
  call.require(`/vms/${vmid}`, ['Permissions.Modify', 'VM.Allocate'], 'any');
  const [other, before] = [...pools].find(([, { vms }]) => vms.has(vmid)) ?? [];
  if (call.flag('delete')) {
    if (other !== id) throw died(`VM ${vmid} is not a pool member`);
    before?.vms.delete(vmid);
    return;
  }
  if (other === id) throw died(`VM ${vmid} is already a pool member`);
  if (other !== undefined) {
    if (!call.flag('allow-move'))
      throw died(`VM ${vmid} belongs already to pool '${other}' and 'allow-move' is not set`);
    call.require(`/pool/${other}`, ['Pool.Allocate']);
    before?.vms.delete(vmid);
  }
  pools.get(id)?.vms.add(vmid);
}

function changeStorage(call: Call, id: string, pools: ReadonlyMap<string, Pool>, storage: string): void {
  call.require(`/storage/${storage}`, ['Permissions.Modify', 'Datastore.Allocate'], 'any');
  const storages = pools.get(id)?.storages ?? new Set<string>();
  if (!call.flag('delete')) {
    if (storages.has(storage)) throw died(`Storage '${storage}' is already a pool member`);
    storages.add(storage);
  } else if (!storages.delete(storage)) throw died(`Storage '${storage}' is not a pool member`);
}

const deletePool = (call: Call) =>
  changingFile(call, lock, 'delete pool failed', () => {
    const { datacenter } = call;
    const id = call.text('poolid') ?? '';
    const pool = poolNamed(call, id);
    const within = [...datacenter.pools.keys()].find((each) => each.startsWith(`${id}/`));
    if (within !== undefined) throw died(`pool '${id}' is not empty (contains pool '${within}')`);
    const vmid = [...pool.vms].find((each) => datacenter.vms.has(each) || datacenter.containers.has(each));
    if (vmid !== undefined) throw died(`pool '${id}' is not empty (contains VM ${vmid})`);
    const storage = [...pool.storages].find((each) => datacenter.storages.exists(each));
    if (storage !== undefined) throw died(`pool '${id}' is not empty (contains storage '${storage}')`);
    datacenter.pools.delete(id);
    datacenter.access.forgetPath(`/pool/${id}`);
    return answer(null);
  });

export const poolsRoutes: Routes = {
  'GET /pools': listPools,
  'POST /pools': createPool,
  'PUT /pools': updatePool,
  'DELETE /pools': deletePool,
  'GET /pools/{poolid}': (call) => {
    const id = call.text('poolid') ?? '';
    const pool = poolNamed(call, id);
    return answer({ poolid: id, ...commentOf(pool), members: members(call, pool) });
  },
  'PUT /pools/{poolid}': updatePool,
  'DELETE /pools/{poolid}': deletePool,
};

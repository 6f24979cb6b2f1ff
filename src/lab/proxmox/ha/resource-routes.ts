import { answer, type Call, type Routes } from '../call.ts';
import { changingFile, mustBeQuorate } from '../cluster/lock.ts';
import { died } from '../refusal.ts';
import { parseSid, type HaResource } from './config.ts';

const numbers = ['max_restart', 'max_relocate', 'failback'];
const settable = ['state', 'group', 'comment', ...numbers];
const changedMeanwhile = 'detected modified configuration - file changed by other user? Try again.';

/** What was set, and nothing that stands for itself. */
function rowOf({ datacenter }: Call, { sid, type, properties }: HaResource): Readonly<Record<string, unknown>> {
  const shown = [...properties]
    .filter(([key]) => key !== 'group' || datacenter.version.major < 9)
    .map(([key, value]): [string, string | number] => [key, numbers.includes(key) ? Number(value) : value]);
  return { ...Object.fromEntries(shown), sid, type, digest: datacenter.ha.config.resourcesDigest() };
}

function resourceOf(call: Call): HaResource {
  const { sid } = parseSid(call.datacenter, call.text('sid') ?? '');
  const resource = call.datacenter.ha.config.resources.get(sid);
  if (resource === undefined) throw died(`no such resource '${sid}'`);
  return resource;
}

const given = (call: Call): [string, string][] =>
  settable.flatMap((key): [string, string][] => {
    const value = call.text(key);
    return value === undefined ? [] : [[key, value]];
  });

function checkGroup(call: Call): void {
  const { version, ha } = call.datacenter;
  const group = call.text('group');
  if (group === undefined) return;
  if (version.major >= 9) throw died("invalid parameter 'group': ha groups have been migrated to rules");
  if (!ha.config.groups.has(group)) throw died(`HA group '${group}' does not exist`);
}

const createResource = (call: Call) => {
  mustBeQuorate(call);
  const { ha, vms, containers } = call.datacenter;
  const parsed = parseSid(call.datacenter, call.text('sid') ?? '');
  const { sid, type, vmid } = parsed;
  const named = call.text('type');
  if (named !== undefined && named !== type) throw died('types does not match');
  checkGroup(call);
  if (!(type === 'vm' ? vms : containers).has(vmid)) throw died(`resource '${sid}' does not exist in cluster`);
  return changingFile(call, 'domain-ha', 'create resource failed', () => {
    if (ha.config.resources.has(sid)) throw died(`resource ID '${sid}' already defined`);
    ha.config.resources.set(sid, { ...parsed, properties: new Map(given(call)) });
    ha.wake();
    return answer(null);
  });
};

const updateResource = (call: Call) => {
  const { ha } = call.datacenter;
  const { sid } = parseSid(call.datacenter, call.text('sid') ?? '');
  checkGroup(call);
  mustNotBeBroken(call, sid);
  return changingFile(call, 'domain-ha', 'update resources config failed', () => {
    const digest = call.text('digest');
    if (digest !== undefined && digest !== ha.config.resourcesDigest()) throw died(changedMeanwhile);
    const resource = ha.config.resources.get(sid);
    if (resource === undefined) throw died(`no such resource '${sid}'`);
    for (const [key, value] of given(call)) resource.properties.set(key, value);
    for (const key of call.list('delete')) {
      if (!settable.includes(key)) throw died(`no such option '${key}'`);
      resource.properties.delete(key);
    }
    return answer(null);
  });
};

/** Who gave up has to be put right by a person first. */
function mustNotBeBroken(call: Call, sid: string): void {
  const isBroken = call.datacenter.ha.manager.services.get(sid)?.state === 'error';
  if (isBroken && call.text('state') !== 'disabled')
    throw died(`service '${sid}' in error state, must be disabled and fixed first`);
}

const deleteResource = (call: Call) => {
  const { config } = call.datacenter.ha;
  const { sid } = parseSid(call.datacenter, call.text('sid') ?? '');
  if (!config.resources.has(sid)) throw died(`cannot delete service '${sid}', not HA managed!`);
  return changingFile(call, 'domain-ha', 'delete resource failed', () => {
    config.remove(sid, call.text('purge') !== '0');
    return answer(null);
  });
};

/** Asks for it; whether and when it happens is up to the manager. */
const moveResource = (call: Call) => {
  const { ha } = call.datacenter;
  const { sid, vmid } = parseSid(call.datacenter, call.text('sid') ?? '');
  if (!ha.config.resources.has(sid)) throw died(`resource '${sid}' is not HA managed`);
  mustNotBeBroken(call, sid);
  const node = call.text('node') ?? '';
  ha.migrate(vmid, node);
  const mates = (affinity: string): string[] =>
    [...ha.config.rules.values()]
      .filter(({ resources, properties }) => resources.has(sid) && properties.get('affinity') === affinity)
      .flatMap(({ resources }) => [...resources].filter((each) => each !== sid && ha.manager.services.has(each)))
      .toSorted();
  const blocking = mates('negative').filter((each) => ha.manager.services.get(each)?.node === node);
  return answer({
    sid,
    'requested-node': node,
    ...(mates('positive').length === 0 ? {} : { 'comigrated-resources': mates('positive') }),
    ...(blocking.length === 0
      ? {}
      : { 'blocking-resources': blocking.map((each) => ({ sid: each, cause: 'resource-affinity' })) }),
  });
};

export const haResourceRoutes: Routes = {
  'GET /cluster/ha/resources': (call) =>
    answer(
      [...call.datacenter.ha.config.resources.values()]
        .filter(({ type }) => call.text('type') === undefined || call.text('type') === type)
        .map((resource) => rowOf(call, resource)),
    ),
  'POST /cluster/ha/resources': createResource,
  'GET /cluster/ha/resources/{sid}': (call) => answer(rowOf(call, resourceOf(call))),
  'PUT /cluster/ha/resources/{sid}': updateResource,
  'DELETE /cluster/ha/resources/{sid}': deleteResource,
  'POST /cluster/ha/resources/{sid}/migrate': moveResource,
  'POST /cluster/ha/resources/{sid}/relocate': moveResource,
};

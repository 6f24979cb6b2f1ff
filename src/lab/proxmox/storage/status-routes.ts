import { answer, type Call, type Routes } from '../call.ts';
import { wrongParameters } from '../refusal.ts';
import { contentsOf, isDisabled, isOn, isShared, type StorageDefinition } from './definition.ts';
import { storageKinds } from './kinds.ts';
import { shuffled } from './shuffled.ts';

const reads = ['Datastore.Audit', 'Datastore.AllocateSpace'];

type Status = Readonly<Record<string, unknown>>;

/** A storage as a host sees it; nothing of it where it is off or elsewhere. */
function statusOf(call: Call, definition: StorageDefinition): Status {
  const { datacenter, host } = call;
  const enabled = !isDisabled(definition) && isOn(definition, host.name);
  const space = datacenter.storages.spaceOf(host, definition);
  const [total, used] = enabled ? [space.totalBytes, space.usedBytes] : [0, 0];
  return {
    type: definition.type,
    content: shuffled(contentsOf(definition), datacenter.random).join(','),
    shared: isShared(definition) ? 1 : 0,
    enabled: enabled ? 1 : 0,
    active: enabled ? 1 : 0,
    total,
    used,
    avail: total - used,
  };
}

/** Named storages are looked for before anything is left out, so a name that nobody has is always told. */
function candidates(call: Call): readonly StorageDefinition[] {
  const { definitions } = call.datacenter.storages;
  const wanted = call.list('content');
  const fits = (definition: StorageDefinition): boolean =>
    wanted.length === 0 ||
    (!isDisabled(definition) &&
      isOn(definition, call.host.name) &&
      contentsOf(definition).some((content) => wanted.includes(content)));
  const found = [...definitions.values()].filter(fits);
  const named = call.text('storage');
  if (named === undefined) return found;
  const one = found.find(({ id }) => id === named);
  if (one === undefined) throw wrongParameters({ storage: 'No such storage.' });
  return [one];
}

const formatsOf = ({ datacenter }: Call, { type }: StorageDefinition): Status => {
  const { formats } = storageKinds[type];
  return {
    ...(datacenter.version.major >= 9 ? { formats: { supported: formats, default: 'raw' } } : {}),
    format: [Object.fromEntries(formats.map((each) => [each, 1])), 'raw'],
  };
};

/** Only those that another host sees, too. */
function sharedWith(call: Call, definition: StorageDefinition): boolean {
  const target = call.text('target');
  if (target === undefined || target === call.host.name || target === 'localhost') return true;
  return isShared(definition) && isOn(definition, call.host.name) && isOn(definition, target);
}

export const storageStatusRoutes: Routes = {
  'GET /nodes/{node}/storage': (call) =>
    answer(
      candidates(call)
        .filter(({ id }) => call.may(`/storage/${id}`, reads, 'any'))
        .filter((definition) => !call.flag('enabled') || !isDisabled(definition))
        .filter((definition) => sharedWith(call, definition))
        .map((definition) => {
          const status = statusOf(call, definition);
          const total = status['total'] as number;
          return {
            storage: definition.id,
            ...status,
            ...(total === 0 ? {} : { used_fraction: (status['used'] as number) / total }),
            ...(call.flag('format') ? formatsOf(call, definition) : {}),
          };
        }),
    ),

  'GET /nodes/{node}/storage/{storage}': () =>
    answer(
      [
        'content',
        'download-url',
        'file-restore',
        'import-metadata',
        'identity',
        'oci-registry-pull',
        'prunebackups',
        'rrd',
        'rrddata',
        'status',
        'upload',
      ].map((subdir) => ({ subdir })),
    ),

  'GET /nodes/{node}/storage/{storage}/status': (call) => {
    const [definition] = candidates(call);
    if (definition === undefined) throw wrongParameters({ storage: 'No such storage.' });
    return answer(statusOf(call, definition));
  },
};

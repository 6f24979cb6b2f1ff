import { mask } from '../config/values.ts';
import { splitList } from '../config/property-string.ts';

/** Options that go onto the drive: a change of them is in force only when it has been written. */
const onDrive = new Set([
  'name',
  'ciuser',
  'cipassword',
  'sshkeys',
  'cicustom',
  'citype',
  'nameserver',
  'searchdomain',
  'ciupgrade',
]);

const isOnDrive = (key: string): boolean => onDrive.has(key) || /^(ipconfig|net)\d+$/.test(key);

/** Notes what the drive still holds when an option of a running VM changes. */
export function noteDrift(
  drift: Map<string, string>,
  key: string,
  before: string | undefined,
  after: string | undefined,
): void {
  if (!isOnDrive(key) || (before === undefined && after === undefined)) return;
  const added = new Set(splitList(drift.get('added') ?? ''));
  drift.delete('added');
  const recorded = drift.get(key);
  if (recorded !== undefined) {
    if (after === recorded) {
      drift.delete(key);
      added.delete(key);
    }
  } else if (added.has(key)) {
    if (after === undefined) added.delete(key);
  } else if (before === undefined) added.add(key);
  else drift.set(key, before);
  if (added.size > 0) drift.set('added', [...added].sort().join(','));
}

const shownKeys = ['cicustom', 'cipassword', 'citype', 'ciuser', 'ciupgrade', 'nameserver', 'searchdomain', 'sshkeys'];

/** `GET cloudinit`: options with what the drive holds of them. */
export function driftRows(
  config: ReadonlyMap<string, string>,
  drift: ReadonlyMap<string, string>,
): Record<string, unknown>[] {
  const show = (key: string, value: string | undefined): string | undefined =>
    key === 'cipassword' && value !== undefined ? mask : value;
  const added = splitList(drift.get('added') ?? '');
  const rows = added.map((key): Record<string, unknown> => ({ key, pending: show(key, config.get(key)) ?? null }));
  for (const key of shownKeys) {
    const value = config.get(key);
    if (value === undefined || value === '' || value === '0' || added.includes(key)) continue;
    const old = drift.get(key);
    rows.push(
      old === undefined ? { key, value: show(key, value) } : { key, value: show(key, old), pending: show(key, value) },
    );
  }
  const gone = [...drift.keys()].filter((key) => key !== 'added' && !config.has(key));
  return [...rows, ...gone.map((key) => ({ key, delete: 1 }))];
}

import type { Call } from '../../call.ts';
import { wrongParameters } from '../../refusal.ts';
import { isDriveSlot, newDisk, parseDrive, parseVolumeId, printDrive } from '../config/drive.ts';
import type { Drive } from '../config/drive.ts';

/** Drives of a request, checked and printed again the way they are kept. */
export function checkDrives(call: Call, settings: Map<string, string>): void {
  for (const slot of [...settings.keys()].filter(isDriveSlot).sort()) {
    const drive = parseDrive(slot, settings.get(slot) ?? '');
    if (drive === undefined) throw wrongParameters({ [slot]: 'unable to parse drive options' });
    checkImport(drive);
    settings.set(slot, printDrive(checkMedium(call, drive)));
  }
}

function checkImport({ slot, file, importFrom, options }: Drive): void {
  if (importFrom === undefined) return;
  if (newDisk(file)?.gib !== 0)
    throw wrongParameters({
      [slot]: "'import-from' requires special syntax - use <storage ID>:0,import-from=<source>",
    });
  const required = slot === 'efidisk0' ? ['efitype', 'pre-enrolled-keys'] : slot === 'tpmstate0' ? ['version'] : [];
  for (const name of required)
    if (!options.has(name)) throw wrongParameters({ [slot]: `need to specify '${name}' when using 'import-from'` });
}

/** An empty drive is one for media; an ISO must be called a medium by who attaches it. */
function checkMedium(call: Call, drive: Drive): Drive {
  const { file, media, slot } = drive;
  const parsed = parseVolumeId(file);
  if (parsed !== undefined && newDisk(file) === undefined && parsed.name !== 'cloudinit') {
    const isIso = call.datacenter.storages.contentOf(file) === 'iso';
    if (isIso && media !== 'cdrom')
      throw wrongParameters({ [slot]: "explicit 'media=cdrom' is required for iso images" });
  }
  return media === undefined && (file === 'none' || file === 'cdrom') ? { ...drive, media: 'cdrom' } : drive;
}

/** `cdrom` is another name of ide2, and needs no more than the medium. */
export function resolveCdrom(settings: Map<string, string>): void {
  const value = settings.get('cdrom');
  if (value === undefined) return;
  settings.delete('cdrom');
  if (value !== '') settings.set('ide2', value.includes('media=') ? value : `${value},media=cdrom`);
}

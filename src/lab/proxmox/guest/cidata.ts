import { noCloudData } from '../../talos/nocloud.ts';
import { noPlatform } from '../../talos/node/platform.ts';
import type { PlatformData } from '../../talos/node/platform.ts';
import type { CloudInit, VirtualDrive } from '../guest.ts';
import { readCd } from './iso9660.ts';

/** What Talos reads of the drive that Proxmox writes, or of a medium with the label cidata that somebody brought. */
export function platformData(drives: readonly VirtualDrive[], cloudInit: CloudInit | undefined): PlatformData {
  const written = cloudInit !== undefined && drives.some(isProxmoxOwn);
  if (written)
    return noCloudData({
      metaData: cloudInit.metaData,
      userData: cloudInit.userData,
      networkConfig: cloudInit.networkConfig,
    });
  for (const { volume } of drives) {
    const { head } = volume?.written ?? {};
    const cd = head === undefined ? undefined : readCd(head);
    if (cd?.label.toLowerCase() === 'cidata') return fromFiles(cd.files);
  }
  return noPlatform;
}

const isProxmoxOwn = ({ volume }: VirtualDrive): boolean => volume?.name.includes('cloudinit') === true;

function fromFiles(files: ReadonlyMap<string, Uint8Array>): PlatformData {
  const text = (name: string): string | undefined => {
    const bytes = files.get(name);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  };
  return noCloudData({
    metaData: text('meta-data'),
    userData: text('user-data'),
    networkConfig: text('network-config'),
  });
}

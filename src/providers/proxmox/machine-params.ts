import type { MachineRequest, StaticAddress } from '../provider.ts';
import type { Params } from './api/form.ts';
import { descriptionFor, tagsFor } from './mark.ts';
import { propertyString } from './property.ts';
import type { ProxmoxSettings } from './settings.ts';

/** What this cluster and this token let us say at once. */
export type CreateOptions = {
  readonly tags: boolean;
  readonly startup: boolean;
  /** Volume of the medium with its first configuration. */
  readonly cidata: string | undefined;
};

export const systemSlot = 'scsi0';
const isoSlot = 'ide2';
const cidataSlot = 'ide0';

export const tagsOf = (request: MachineRequest, settings: ProxmoxSettings): string =>
  tagsFor(request.mark, request.role, settings.tags).join(';');

/** Everything that makes the VM what it is, in one request: it is there as a whole, or not at all. */
export function createParams(
  request: MachineRequest,
  vmid: number,
  settings: ProxmoxSettings,
  options: CreateOptions,
): Params {
  const { shape, image, mark, role, hostname } = request;
  return {
    vmid,
    name: hostname,
    ostype: 'l26',
    cpu: settings.cpuType,
    sockets: 1,
    cores: shape.cpu,
    memory: shape.memoryMiB,
    // A guest whose memory shrinks behind its back is a node that evicts its pods.
    balloon: 0,
    scsihw: 'virtio-scsi-pci',
    ...firmwareParams(request, settings),
    ...diskParams(request),
    ...(image.kind === 'iso' ? { [isoSlot]: propertyString(image.volume, { media: 'cdrom' }) } : {}),
    // An empty disk falls through to the medium; once something is installed, the disk wins.
    boot: `order=${image.kind === 'iso' ? `${systemSlot};${isoSlot}` : systemSlot}`,
    ...addressParams(request, options),
    net0: networkCard(request.mac, settings),
    agent: 'enabled=1',
    serial0: 'socket',
    smbios1: `uuid=${mark.uuid}`,
    description: descriptionFor(mark, role, vmid),
    tags: options.tags ? tagsOf(request, settings) : undefined,
    pool: settings.pool,
    onboot: settings.onBoot,
    startup: options.startup ? startupOf(settings) : undefined,
  };
}

function firmwareParams({ shape }: MachineRequest, { firmware }: ProxmoxSettings): Params {
  if (firmware === 'bios') return { machine: 'q35', bios: 'seabios' };
  // Keys of others in the firmware would refuse Talos’ own boot loader.
  const efidisk0 = propertyString(`${shape.disks[0]?.datastore}:1`, { efitype: '4m', 'pre-enrolled-keys': 0 });
  return { machine: 'q35', bios: 'ovmf', efidisk0 };
}

/** The serial number is how a disk is told apart later, whatever slot it is in. */
function diskParams({ shape, image }: MachineRequest): Params {
  return Object.fromEntries(
    shape.disks.map(({ name, sizeGiB, datastore }, index) => {
      const imported = index === 0 && image.kind === 'disk';
      const text = propertyString(`${datastore}:${imported ? 0 : sizeGiB}`, {
        'import-from': imported ? image.volume : undefined,
        discard: 'on',
        serial: serialOf(name),
      });
      return [slotOf(index), text];
    }),
  );
}

export const slotOf = (index: number): string => `scsi${index}`;

export const newDisk = (datastore: string, sizeGiB: number, name: string): string =>
  propertyString(`${datastore}:${sizeGiB}`, { discard: 'on', serial: serialOf(name) });

/** QEMU keeps 36 signs of it. */
export const serialOf = (name: string): string => name.slice(0, 36);

function addressParams({ staticAddress, shape }: MachineRequest, { cidata }: CreateOptions): Params {
  if (cidata !== undefined) {
    // Nobody but us reads the address here: the medium itself has it.
    const told = staticAddress === undefined ? {} : { ipconfig0: ipconfig(staticAddress) };
    return { [cidataSlot]: propertyString(cidata, { media: 'cdrom' }), ...told };
  }
  if (staticAddress === undefined) return {};
  return {
    [cidataSlot]: `${shape.disks[0]?.datastore}:cloudinit`,
    citype: 'nocloud',
    ipconfig0: ipconfig(staticAddress),
    nameserver: staticAddress.nameservers.length === 0 ? undefined : staticAddress.nameservers.join(' '),
  };
}

const ipconfig = ({ address, prefix, gateway }: StaticAddress): string =>
  address.includes(':')
    ? propertyString('', { ip6: `${address}/${prefix}`, gw6: gateway })
    : propertyString('', { ip: `${address}/${prefix}`, gw: gateway });

const networkCard = (mac: string, { bridge, vlan, mtu, firewall }: ProxmoxSettings): string =>
  propertyString(`virtio=${mac.toUpperCase()}`, { bridge, firewall: firewall ? 1 : undefined, mtu, tag: vlan });

export function startupOf({ startup }: ProxmoxSettings): string | undefined {
  if (startup === undefined) return undefined;
  const { order, upSeconds: up, downSeconds: down } = startup;
  const text = propertyString('', { order, up, down });
  return text === '' ? undefined : text;
}

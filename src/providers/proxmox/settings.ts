import type { VmidRange } from '../../model/range.ts';
import type { Mark } from '../provider.ts';

/** What the file says about Proxmox, settled; `platform.provider` fits as it is. */
export type ProxmoxSettings = {
  readonly endpoint: string;
  readonly endpoints: readonly { readonly url: string; readonly fingerprint?: string | undefined }[];
  readonly tls: { readonly fingerprint?: string | undefined; readonly insecure: boolean };
  readonly hosts: readonly string[];
  readonly datastore: string;
  readonly imageDatastore: string;
  readonly bridge: string;
  readonly vlan?: number | undefined;
  readonly mtu?: number | undefined;
  readonly vmids: { readonly controlPlane: VmidRange; readonly workers: VmidRange };
  readonly pool?: string | undefined;
  readonly tags: readonly string[];
  readonly cpuType: string;
  readonly firmware: 'uefi' | 'bios';
  readonly onBoot: boolean;
  readonly startup?:
    | {
        readonly order?: number | undefined;
        readonly upSeconds?: number | undefined;
        readonly downSeconds?: number | undefined;
      }
    | undefined;
  readonly antiAffinity: boolean;
  readonly firewall: boolean;
  /** VMs of other people’s making that the file names by VMID and UUID: they are looked at as ours, and touched once they carry the mark. */
  readonly adopted?: readonly Adopted[];
};

export type Adopted = { readonly mark: Mark; readonly vmid: number };

/** What the file only refers to. */
export type ProxmoxAccess = {
  readonly credentials: Credentials;
  /** Text of the certificate authority, where the file names one. */
  readonly ca?: string | undefined;
};

export type Credentials =
  /** USER@REALM!NAME=UUID */
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'login'; readonly username: string; readonly password: string };

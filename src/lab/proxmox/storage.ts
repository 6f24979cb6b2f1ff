import type { Host } from './host.ts';

export type ContentType = 'images' | 'iso' | 'import' | 'vztmpl' | 'backup' | 'snippets' | 'rootdir';

/** A file or volume of a storage. */
export interface Volume {
  readonly storage: string;
  /** Host whose storage it lies on; undefined on a shared one. */
  readonly host: string | undefined;
  /** Behind the colon of its id: `iso/x.iso`, `101/vm-101-disk-0.raw`, `vm-101-disk-0`. */
  readonly name: string;
  readonly content: ContentType;
  readonly format: string;
  /** As a guest sees it. */
  bytes: number;
  /** As the file system sees it. */
  fileBytes: number;
  readonly vmid: number | undefined;
  readonly ctime: number;
  /**
   * What is on it, for guests: an image begins as the file that came in, a disk as a copy of its image or as nothing; what a
   * guest writes stays until the volume goes.
   */
  written: Written;
}

/** What a medium or disk holds. A file that came in from outside keeps its beginning, for whoever can read it. */
export type Written = {
  /** The first mebibyte at most; undefined: nobody wrote anything from outside. */
  readonly head: Uint8Array | undefined;
  /** The file’s own name, which tells what it is where its beginning does not. */
  readonly fileName: string | undefined;
  /** Kept by whatever booted from it. */
  readonly state: Map<string, unknown>;
};

/** How the VM side uses storages; the refusals are those of the real API, in its words. */
export interface Storages {
  /** `local-lvm:101/vm-101-disk-0.raw` */
  find(host: Host, volid: string): Volume | undefined;
  idOf(volume: Volume): string;
  /** A new disk; names and formats as the type of the storage has them. Throws where there is no room or no such content. */
  allocate(host: Host, storage: string, disk: NewDisk): Volume;
  /** Copies what is on it; sizes and format follow from the source unless `format` is given. */
  copy(host: Host, source: Volume, storage: string, disk: Omit<NewDisk, 'bytes'>): Volume;
  resize(volume: Volume, bytes: number): void;
  free(volume: Volume): void;
  /** Everything that belongs to a VM, in any storage that the host sees. */
  ofVm(host: Host, vmid: number): readonly Volume[];
  /** Path of the file, as logs and messages show it. */
  pathOf(volume: Volume): string;
  /** Refuses where the storage is unknown, off, not on this host, or not for this content. */
  mustServe(host: Host, storage: string, content: ContentType): void;
  exists(storage: string): boolean;
  isShared(storage: string): boolean;
  /** Its configuration lists that content. */
  holds(storage: string, content: ContentType): boolean;
  /** Hosts that have it, whatever their state. */
  hostsOf(storage: string): readonly string[];
  /** What an id names, there or not. Refuses unknown storages, and names that no volume of such a storage has. */
  contentOf(volid: string): ContentType;
  /** The VM that an id belongs to by its name. */
  ownerOf(volid: string): number | undefined;
  /** Where a volume would be, there or not. */
  pathOfId(volid: string): string;
  /** What its storage and format allow. */
  can(volume: Volume, feature: VolumeFeature): boolean;
  /** Gives it to another VM, under a name of that one. */
  reassign(volume: Volume, vmid: number): Volume;
  /** Makes it the base of linked clones; its name says so. */
  toBase(volume: Volume): Volume;
  /** A clone that only keeps what differs from its base. */
  link(host: Host, base: Volume, vmid: number): Volume;
  /** Leaves that much room; absent host: on every host that has it. */
  fill(storage: string, freeGiB: number, host?: string): void;
}

export type VolumeFeature = 'snapshot' | 'clone' | 'copy' | 'template' | 'rename';

export type NewDisk = {
  readonly vmid: number;
  readonly bytes: number;
  readonly format?: string;
  /** `disk` is numbered; `cloudinit` has its own name. */
  readonly purpose: 'disk' | 'cloudinit';
  /** The name that it should have, without folder and extension, where that is free. */
  readonly name?: string;
};

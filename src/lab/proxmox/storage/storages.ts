import { createHash } from 'node:crypto';
import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import { died, wrongParameters } from '../refusal.ts';
import type { ContentType, NewDisk, Storages, Volume, VolumeFeature } from '../storage.ts';
import type { DatacenterOptions, StorageOptions } from '../twin.ts';
import { contentsOf, definitionOf, isDisabled, isOn, isShared, isThin, type StorageDefinition } from './definition.ts';
import { volumeCan } from './features.ts';
import { copiedDisk, copyOf, emptyDisk, formatFor, grained, type NewVolume } from './new-volume.ts';
import type { Digests } from './received.ts';
import { mustHaveRoom, mustHaveRoomToCopy, mustHaveRoomToGrow } from './room.ts';
import { Space } from './space.ts';
import {
  baseName,
  diskFileName,
  diskName,
  isLinkedTo,
  linkedName,
  nextTitle,
  parseVolumeId,
  parseVolumeName,
  volumePath,
} from './volume-name.ts';

type StorageSetup = {
  readonly now: () => Date;
  readonly hosts: () => readonly string[];
  readonly storages?: readonly StorageOptions[] | undefined;
  readonly trust?: readonly string[] | undefined;
};

const GiB = 1024 ** 3;
const usualTotalGiB = 500;

/** As the installer leaves them. */
const usualStorages: readonly StorageOptions[] = [
  { id: 'local', type: 'dir', content: ['iso', 'vztmpl', 'backup', 'import', 'snippets'], totalGiB: 100 },
  { id: 'local-lvm', type: 'lvmthin', content: ['rootdir', 'images'] },
];

export const createStorages = (datacenter: () => Datacenter, { storages, trust }: DatacenterOptions): LabStorages =>
  new LabStorages({
    now: () => datacenter().clock.now(),
    hosts: () => [...datacenter().hosts.keys()],
    storages,
    trust,
  });

/** Every storage of a data centre, with what lies on it. */
export class LabStorages implements Storages {
  /** storage.cfg, in its order. */
  readonly definitions: Map<string, StorageDefinition>;
  /** PEMs that hosts trust when they download, besides those that everybody trusts. */
  readonly trust: readonly string[];
  readonly #now: () => Date;
  readonly #hosts: () => readonly string[];
  readonly #totals: ReadonlyMap<string, number>;
  /** What lies on a storage outlives its definition. */
  readonly #spaces = new Map<string, Space>();
  readonly #digests = new WeakMap<Volume, Digests>();

  constructor({ now, hosts, storages = usualStorages, trust = [] }: StorageSetup) {
    this.trust = trust;
    this.#now = now;
    this.#hosts = hosts;
    this.definitions = new Map(storages.map((options) => [options.id, definitionOf(options)]));
    this.#totals = new Map(storages.map(({ id, totalGiB = usualTotalGiB }) => [id, totalGiB * GiB]));
  }

  /** What a host sees of a storage. */
  spaceOf({ name }: Pick<Host, 'name'>, definition: StorageDefinition): Space {
    const { id } = definition;
    const key = isShared(definition) ? id : `${id} ${name}`;
    const known = this.#spaces.get(key);
    if (known !== undefined) return known;
    const isThinNow = (): boolean => isThin(this.definitions.get(id) ?? definition);
    const made = new Space(this.#totals.get(id) ?? usualTotalGiB * GiB, isThinNow);
    this.#spaces.set(key, made);
    return made;
  }

  /** Refuses where the storage is unknown. */
  definition(id: string): StorageDefinition {
    const definition = this.definitions.get(id);
    if (definition === undefined) throw died(`storage '${id}' does not exist`);
    return definition;
  }

  /** Refuses where the storage is unknown, off, or not on this host. */
  enabled({ name }: Pick<Host, 'name'>, id: string): StorageDefinition {
    const definition = this.definition(id);
    if (isDisabled(definition)) throw died(`storage '${id}' is disabled`);
    if (!isOn(definition, name)) throw died(`storage '${id}' is not available on node '${name}'`);
    return definition;
  }

  mustServe(host: Host, id: string, content: ContentType): void {
    this.#serving(host, id, content);
  }

  #serving(host: Host, id: string, content: ContentType): StorageDefinition {
    const definition = this.enabled(host, id);
    if (contentsOf(definition).includes(content)) return definition;
    if (content === 'images') throw wrongParameters({ storage: `storage '${id}' does not support vm images` });
    throw died(`storage '${id}' does not support content-type '${content}'`);
  }

  find(host: Host, volid: string): Volume | undefined {
    const parsed = parseVolumeId(volid);
    const definition = this.definitions.get(parsed?.storage ?? '');
    if (parsed === undefined || definition === undefined || !isOn(definition, host.name)) return undefined;
    return this.spaceOf(host, definition).volumes.get(parsed.name);
  }

  idOf({ storage, name }: Volume): string {
    return `${storage}:${name}`;
  }

  pathOf({ storage, name }: Volume): string {
    return volumePath(this.definition(storage), name);
  }

  exists(id: string): boolean {
    return this.definitions.has(id);
  }

  isShared(id: string): boolean {
    const definition = this.definitions.get(id);
    return definition !== undefined && isShared(definition);
  }

  holds(id: string, content: ContentType): boolean {
    const definition = this.definitions.get(id);
    return definition !== undefined && contentsOf(definition).includes(content);
  }

  hostsOf(id: string): readonly string[] {
    const definition = this.definitions.get(id);
    return definition === undefined ? [] : this.#hosts().filter((name) => isOn(definition, name));
  }

  contentOf(volid: string): ContentType {
    const { definition, name } = this.#named(volid);
    return parseVolumeName(definition.type, name).content;
  }

  ownerOf(volid: string): number | undefined {
    const parsed = parseVolumeId(volid);
    const definition = this.definitions.get(parsed?.storage ?? '');
    if (parsed === undefined || definition === undefined) return undefined;
    return parseVolumeName(definition.type, parsed.name).vmid;
  }

  pathOfId(volid: string): string {
    const { definition, name } = this.#named(volid);
    return volumePath(definition, name);
  }

  #named(volid: string): { readonly definition: StorageDefinition; readonly name: string } {
    const parsed = parseVolumeId(volid);
    if (parsed === undefined) throw died(`unable to parse volume ID '${volid}'`);
    return { definition: this.definition(parsed.storage), name: parsed.name };
  }

  can(volume: Volume, feature: VolumeFeature): boolean {
    return volumeCan(this.definition(volume.storage), volume, feature);
  }

  ofVm(host: Host, vmid: number): readonly Volume[] {
    return [...this.definitions.values()]
      .filter((definition) => !isDisabled(definition) && isOn(definition, host.name))
      .flatMap((definition) => [...this.spaceOf(host, definition).volumes.values()])
      .filter((volume) => volume.vmid === vmid && volume.content === 'images');
  }

  allocate(host: Host, id: string, disk: NewDisk): Volume {
    const definition = this.#serving(host, id, 'images');
    const name = this.#nameFor(host, definition, disk, formatFor(definition, disk));
    return this.#allocate(host, definition, emptyDisk(definition, name, disk.bytes));
  }

  /** A disk with a name of the caller’s own choice. */
  allocateNamed(host: Host, definition: StorageDefinition, name: string, bytes: number): Volume {
    return this.#allocate(host, definition, emptyDisk(definition, name, bytes));
  }

  #allocate(host: Host, definition: StorageDefinition, volume: NewVolume): Volume {
    mustHaveRoom(definition, this.spaceOf(host, definition), volume);
    return this.#keep(host, definition, volume);
  }

  copy(host: Host, source: Volume, id: string, disk: Omit<NewDisk, 'bytes'>): Volume {
    const definition = this.#serving(host, id, 'images');
    const format = formatFor(definition, { ...disk, format: disk.format ?? source.format });
    const name = this.#nameFor(host, definition, disk, format);
    const space = this.spaceOf(host, definition);
    mustHaveRoom(definition, space, emptyDisk(definition, name, source.bytes));
    const volume = copiedDisk(definition, name, source);
    mustHaveRoomToCopy(definition, space, volume, { path: this.pathOf(source), format: source.format });
    return this.#keep(host, definition, volume);
  }

  /** A file that came in from outside; in the place of one of the same name. */
  put(host: Pick<Host, 'name'>, definition: StorageDefinition, file: NewVolume, digests: Digests = {}): Volume {
    const volume = this.#keep(host, definition, file);
    this.#digests.set(volume, digests);
    return volume;
  }

  /** Hex; of a file whose sums nobody took on the way in, that of its beginning. */
  digestOf(volume: Volume, algorithm: string): string {
    const known = this.#digests.get(volume)?.[algorithm];
    return (
      known ??
      createHash(algorithm)
        .update(volume.written.head ?? new Uint8Array())
        .digest('hex')
    );
  }

  reassign(volume: Volume, vmid: number): Volume {
    const definition = this.definition(volume.storage);
    const title = nextTitle(this.#homeOf(volume).volumes.values(), vmid);
    return this.#rename(volume, diskName(definition.type, vmid, title, volume.format));
  }

  toBase(volume: Volume): Volume {
    return this.#rename(volume, baseName(volume.name));
  }

  link(host: Host, base: Volume, vmid: number): Volume {
    const definition = this.#serving(host, base.storage, 'images');
    const title = nextTitle(this.spaceOf(host, definition).volumes.values(), vmid);
    const name = linkedName(definition.type, base.name, vmid, title);
    return this.#allocate(host, definition, {
      ...emptyDisk(definition, name, base.bytes),
      written: copyOf(base.written),
    });
  }

  #rename(volume: Volume, name: string): Volume {
    const home = this.#homeOf(volume);
    const { format, vmid } = parseVolumeName(this.definition(volume.storage).type, name);
    const renamed: Volume = { ...volume, name, format, vmid };
    home.volumes.delete(volume.name);
    home.volumes.set(name, renamed);
    return renamed;
  }

  resize(volume: Volume, bytes: number): void {
    const definition = this.definition(volume.storage);
    const grown = grained(definition, bytes);
    mustHaveRoomToGrow(definition, this.#homeOf(volume), volume, grown);
    volume.bytes = grown;
  }

  free(volume: Volume): void {
    const { volumes } = this.#homeOf(volume);
    if ([...volumes.keys()].some((name) => isLinkedTo(name, volume.name)))
      throw died(`base volume '${volume.name}' is still in use by linked clones`);
    volumes.delete(volume.name);
  }

  fill(id: string, freeGiB: number, host?: string): void {
    const definition = this.definition(id);
    const names = host === undefined ? this.#hosts() : [host];
    for (const name of names) this.spaceOf({ name }, definition).fill(freeGiB * GiB);
  }

  #homeOf({ storage, host }: Volume): Space {
    return this.spaceOf({ name: host ?? '' }, this.definition(storage));
  }

  #keep(host: Pick<Host, 'name'>, definition: StorageDefinition, volume: NewVolume): Volume {
    const { content, format, vmid } = parseVolumeName(definition.type, volume.name);
    const kept: Volume = {
      storage: definition.id,
      host: isShared(definition) ? undefined : host.name,
      content,
      format,
      vmid,
      ctime: Math.floor(this.#now().getTime() / 1000),
      ...volume,
    };
    this.spaceOf(host, definition).volumes.set(kept.name, kept);
    return kept;
  }

  #nameFor(host: Host, definition: StorageDefinition, disk: Omit<NewDisk, 'bytes'>, format: string): string {
    const space = this.spaceOf(host, definition);
    const wanted = disk.name === undefined ? undefined : diskFileName(definition.type, disk.vmid, disk.name, format);
    if (wanted !== undefined && !space.volumes.has(wanted)) return wanted;
    const title = disk.purpose === 'cloudinit' ? 'cloudinit' : nextTitle(space.volumes.values(), disk.vmid);
    return diskName(definition.type, disk.vmid, title, format);
  }
}

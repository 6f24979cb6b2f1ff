import { createHash, randomBytes } from 'node:crypto';

/** A member as the cluster knows it; its process runs on a node, or does not. */
export type EtcdMember = {
  readonly id: bigint;
  readonly name: string;
  readonly address: string;
  learner: boolean;
  running: boolean;
  alarm: 'NONE' | 'NOSPACE' | 'CORRUPT';
};

/** What lies in a node’s data directory. */
export type EtcdDirectory = { readonly cluster: EtcdCluster; readonly memberId: bigint };

const idOf = (text: string): bigint => createHash('sha1').update(text).digest().readBigUInt64BE(0);

/** One etcd: its members, who leads, and what it keeps. Two bootstraps make two of them. */
export class EtcdCluster {
  readonly members = new Map<bigint, EtcdMember>();
  readonly data: Map<string, string>;
  /** Hash of the CA that its members trust: who has another one cannot join. */
  readonly trust: string;
  leader: bigint | undefined;
  term = 2n;
  index = 8n;
  revision: bigint;
  readonly #changed = new Set<() => void>();

  constructor(trust: string, data: ReadonlyMap<string, string> = new Map(), revision = 1n) {
    this.trust = trust;
    this.data = new Map(data);
    this.revision = revision;
  }

  /** The first member’s id follows from its address alone; those of joined members are new every time. */
  begin(name: string, address: string): EtcdMember {
    return this.#add({ id: idOf(`https://${address}:2380etcd-cluster`), name, address, learner: false });
  }

  /** A newcomer listens first; undefined while there is no quorum to agree on it. */
  join(name: string, address: string): EtcdMember | undefined {
    if (!this.hasQuorum()) return undefined;
    return this.#add({ id: randomBytes(8).readBigUInt64BE(0), name, address, learner: true });
  }

  #add(member: Pick<EtcdMember, 'id' | 'name' | 'address' | 'learner'>): EtcdMember {
    const added: EtcdMember = { ...member, running: false, alarm: 'NONE' };
    this.members.set(added.id, added);
    this.index += 1n;
    return added;
  }

  promote(id: bigint): boolean {
    const member = this.members.get(id);
    if (member === undefined || !this.hasQuorum()) return false;
    member.learner = false;
    this.#moved();
    return true;
  }

  setRunning(id: bigint, running: boolean): void {
    const member = this.members.get(id);
    if (member === undefined) return;
    member.running = running;
    this.elect();
  }

  voters(): readonly EtcdMember[] {
    return [...this.members.values()].filter(({ learner }) => !learner);
  }

  runningVoters(): readonly EtcdMember[] {
    return this.voters().filter(({ running }) => running);
  }

  hasQuorum(): boolean {
    return this.runningVoters().length * 2 > this.voters().length;
  }

  /** By id, as etcd lists them. */
  sorted(): readonly EtcdMember[] {
    return [...this.members.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  elect(): void {
    const leading = this.leader === undefined ? undefined : this.members.get(this.leader);
    if (!this.hasQuorum()) this.leader = undefined;
    else if (leading?.running !== true || leading.learner) this.lead(this.runningVoters()[0]?.id);
    this.#moved();
  }

  lead(id: bigint | undefined): void {
    if (id === this.leader) return;
    this.leader = id;
    this.term += 1n;
    this.index += 1n;
    this.#moved();
  }

  /** A removal that would leave too few started members is refused by etcd itself. */
  canRemove(id: bigint): boolean {
    const left = this.voters().filter((member) => member.id !== id);
    const started = left.filter(({ running }) => running).length;
    return this.members.get(id)?.learner === true || (left.length > 0 && started * 2 > left.length);
  }

  remove(id: bigint): void {
    this.members.delete(id);
    this.index += 1n;
    this.elect();
  }

  put(key: string, value: string): void {
    this.data.set(key, value);
    this.revision += 1n;
    this.index += 1n;
  }

  onMove(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  #moved(): void {
    for (const listener of this.#changed) listener();
  }
}

import { createHash } from 'node:crypto';
import { GrpcStatus } from '../../grpc/status.ts';
import { EtcdCluster } from '../etcd/cluster.ts';
import type { EtcdMember } from '../etcd/cluster.ts';
import { readSnapshot } from '../etcd/snapshot.ts';
import type { Boot } from './boot.ts';
import {
  setStopped,
  tellFinished,
  tellHealthy,
  tellPreparing,
  tellRunning,
  tellStarting,
  tellStillWaiting,
  tellStopping,
  tellUnhealthy,
} from './lives.ts';
import type { Machine } from './machine.ts';

type Beginning =
  | { readonly kind: 'join' }
  | { readonly kind: 'bootstrap' }
  | { readonly kind: 'recover'; readonly skipHash: boolean };

const exited = 'Runner Containerd(etcd) exited without error, going to restart it';
const learnerRefusal = 'etcdserver: rpc not supported for learner';

/** The service `etcd` of one boot of a control plane. */
export class EtcdService {
  readonly #machine: Machine;
  readonly #boot: Boot;
  /** The boot sequence goes on once somebody asked for a bootstrap. */
  bootstrapRequested = false;
  #run = new AbortController();

  constructor(machine: Machine, boot: Boot) {
    this.#machine = machine;
    this.#boot = boot;
  }

  /** This node’s own member, while its process runs. */
  local(): { readonly cluster: EtcdCluster; readonly member: EtcdMember } | undefined {
    const directory = this.#machine.disk.etcd;
    const member = directory?.cluster.members.get(directory.memberId);
    return directory !== undefined && member?.running === true ? { cluster: directory.cluster, member } : undefined;
  }

  start(beginning: Beginning = { kind: 'join' }): void {
    this.#run = new AbortController();
    const signal = AbortSignal.any([this.#run.signal, this.#boot.signal]);
    void this.#live(beginning, signal).catch(() => undefined);
  }

  /** Ends the process; its member stays in the cluster. */
  halt(): void {
    this.#run.abort(new Error('etcd stops'));
    const { disk } = this.#machine;
    disk.etcd?.cluster.setRunning(disk.etcd.memberId, false);
  }

  async bootstrap(beginning: Beginning): Promise<void> {
    const { disk, durations } = this.#machine;
    if (disk.etcd !== undefined) throw new GrpcStatus('ALREADY_EXISTS', 'etcd data directory is not empty');
    const before = this.#boot.services.get('etcd')?.state;
    if (before === 'Running') {
      tellStopping(this.#boot, 'etcd');
      // The process goes on until it has stopped, and may write its first data meanwhile.
      await this.#boot.sleep(durations.etcdStart / 6);
    }
    this.halt();
    if (before === 'Running' || before === 'Preparing' || before === 'Waiting') tellFinished(this.#boot, 'etcd');
    if (this.#machine.disk.etcd !== undefined) throw new GrpcStatus('UNKNOWN', 'etcd data directory is not empty');
    tellFinished(this.#boot, 'etcd', 'Bootstrap requested');
    this.bootstrapRequested = true;
    this.start(beginning);
    this.#boot.touch();
  }

  /** Out of the cluster for good: the member is removed, the process ends, the data goes. */
  async leave(): Promise<void> {
    const local = this.local();
    if (local === undefined) return this.#boot.until(() => this.local() !== undefined).then(() => this.leave());
    const { cluster, member } = local;
    if (!cluster.canRemove(member.id))
      throw new GrpcStatus(
        'UNKNOWN',
        `failed to leave cluster: 1 error(s) occurred:\n\tfailed to remove member ${member.id}: etcdserver: re-configuration failed due to not enough started members`,
      );
    this.#run.abort(new Error('etcd leaves'));
    cluster.remove(member.id);
    if (cluster.members.size === 0) this.#machine.world.clusters.delete(cluster);
    this.#machine.disk.etcd = undefined;
    tellStopping(this.#boot, 'etcd');
    await this.#boot.sleep(this.#machine.durations.etcdStart / 6);
    tellFinished(this.#boot, 'etcd');
    this.#machine.world.stir();
  }

  /** Somebody else removed the member; the process notices and exits. */
  expelled(): void {
    this.#run.abort(new Error('etcd was removed'));
    this.#boot.services.tell('etcd', 'Waiting', exited);
    setStopped(this.#boot, 'etcd');
    this.#boot.touch();
  }

  async #live(beginning: Beginning, signal: AbortSignal): Promise<void> {
    const { disk } = this.#machine;
    tellStarting(this.#boot, 'etcd');
    if (!this.#boot.services.isHealthy('cri')) {
      await this.#boot.until(() => this.#boot.services.isHealthy('cri'), signal);
      tellStillWaiting(this.#boot, 'etcd');
    }
    tellPreparing(this.#boot, 'etcd');
    if (disk.etcd !== undefined) return this.#rejoin(signal);
    switch (beginning.kind) {
      case 'join':
        return this.#join(signal);
      case 'bootstrap':
        return this.#begin(new EtcdCluster(this.trust()), signal);
      case 'recover':
        return this.#recover(beginning.skipHash, signal);
      default:
        return beginning satisfies never;
    }
  }

  trust(): string {
    return createHash('sha256')
      .update(this.#boot.settings?.etcdCa ?? '')
      .digest('hex');
  }

  async #begin(cluster: EtcdCluster, signal: AbortSignal): Promise<void> {
    const { disk, durations, world, address } = this.#machine;
    const half = durations.etcdStart / 2;
    await this.#boot.clock.sleep(half / 2, signal);
    tellRunning(this.#boot, 'etcd');
    await this.#boot.clock.sleep(half, signal);
    const member = cluster.begin(this.#boot.nodename ?? address, address);
    disk.etcd = { cluster, memberId: member.id };
    world.clusters.add(cluster);
    cluster.setRunning(member.id, true);
    cluster.put(`/registry/talos/members/${member.name}`, member.address);
    world.stir();
    this.#boot.touch();
    await this.#boot.clock.sleep(durations.etcdHealthy, signal);
    tellHealthy(this.#boot, 'etcd');
    world.stir();
  }

  async #recover(skipHash: boolean, signal: AbortSignal): Promise<void> {
    const { disk } = this.#machine;
    const fail = (why: string): void => {
      this.#boot.services.tell('etcd', 'Failed', `Failed to run pre stage: error verifying snapshot: ${why}`, {
        message: 'service not running',
      });
    };
    if (disk.snapshot === undefined) return fail('stat /var/lib/etcd.snapshot: no such file or directory');
    const restored = readSnapshot(disk.snapshot, skipHash);
    if (typeof restored === 'string') return fail(restored);
    disk.snapshot = undefined;
    return this.#begin(new EtcdCluster(this.trust(), restored.data, restored.revision), signal);
  }

  async #join(signal: AbortSignal): Promise<void> {
    const { disk, durations, world, address } = this.#machine;
    const trust = this.trust();
    // etcd takes one learner at a time.
    const open = (): EtcdCluster | undefined =>
      [...world.clusters].find(
        (cluster) =>
          cluster.trust === trust &&
          cluster.hasQuorum() &&
          cluster.sorted().every(({ learner }) => !learner) &&
          cluster.runningVoters().some((voter) => world.at(voter.address)?.boot?.services.isHealthy('etcd') === true),
      );
    let member: EtcdMember | undefined;
    let cluster: EtcdCluster | undefined;
    while (member === undefined || cluster === undefined) {
      await world.until(() => open() !== undefined, signal);
      cluster = open();
      member = cluster?.join(this.#boot.nodename ?? address, address);
    }
    disk.etcd = { cluster, memberId: member.id };
    await this.#boot.clock.sleep(durations.etcdStart / 2, signal);
    tellRunning(this.#boot, 'etcd');
    cluster.setRunning(member.id, true);
    world.stir();
    await this.#learn(cluster, member, signal);
  }

  async #learn(cluster: EtcdCluster, member: EtcdMember, signal: AbortSignal): Promise<void> {
    const { durations, world } = this.#machine;
    tellUnhealthy(this.#boot, 'etcd', learnerRefusal);
    await this.#boot.clock.sleep(durations.learner, signal);
    await world.until(() => cluster.promote(member.id), signal);
    world.stir();
    tellHealthy(this.#boot, 'etcd');
    world.stir();
  }

  async #rejoin(signal: AbortSignal): Promise<void> {
    const { disk, durations, world } = this.#machine;
    if (disk.etcd === undefined) return;
    const { cluster, memberId } = disk.etcd;
    await this.#boot.clock.sleep(durations.etcdStart / 2, signal);
    tellRunning(this.#boot, 'etcd');
    const member = cluster.members.get(memberId);
    if (member === undefined) return this.expelled();
    cluster.setRunning(memberId, true);
    world.stir();
    if (member.learner) return this.#learn(cluster, member, signal);
    await this.#boot.clock.sleep(durations.etcdHealthy, signal);
    if (!cluster.hasQuorum()) {
      tellUnhealthy(this.#boot, 'etcd', 'context deadline exceeded');
      await world.until(() => cluster.hasQuorum(), signal);
    }
    tellHealthy(this.#boot, 'etcd');
    world.stir();
  }
}

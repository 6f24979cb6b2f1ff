import { publishConfig, publishMembers, publishStanding } from '../facts/cluster.ts';
import { publishAddresses } from '../facts/addresses.ts';
import { publishDisks, publishMachine, publishPlatform } from '../facts/machine.ts';
import { publishLinks, publishNames } from '../facts/network.ts';
import { publish } from '../state/publish.ts';
import type { Boot, StaticPod } from './boot.ts';
import type { TwinHardware } from '../twin.ts';
import type { Machine } from './machine.ts';
import type { NodeNetwork } from './network.ts';
import type { Service } from './services.ts';

/** What the state last heard of, so that what is gone can be taken out. */
type Published = {
  readonly network: NodeNetwork | undefined;
  readonly hardware: TwinHardware | undefined;
  readonly pods: readonly StaticPod[];
};

/** Lets the node’s state follow what happens. */
export function observe(machine: Machine, boot: Boot): void {
  const { state } = boot;
  publishMachine(machine, boot);
  publishLinks(machine, boot);
  let published: Published = { network: undefined, hardware: undefined, pods: [] };
  const groups = [
    group(
      () => [machine.network],
      () => {
        publishAddresses(machine, boot, published.network);
        publishPlatform(machine, boot);
        published = { ...published, network: machine.network };
      },
    ),
    group(
      () => [machine.hardware, machine.disk.system],
      () => {
        publishDisks(machine, boot.state, published.hardware);
        published = { ...published, hardware: machine.hardware };
      },
    ),
    group(
      () => [boot.hostname, boot.nodename, boot.networkOpen.length],
      () => publishNames(boot),
    ),
    group(
      () => [boot.config, machine.disk.config, machine.network],
      () => publishConfig(machine, boot),
    ),
    group(
      () => [boot.pods, boot.node, machine.etcd?.local()?.member.id, boot.settings],
      () => {
        publishStanding(machine, boot, published.pods);
        published = { ...published, pods: boot.pods };
      },
    ),
  ];
  boot.observer = {
    status: ({ stage, ready, unmet }) =>
      publish.machineStatus(state, { stage, status: { ready, unmetConditions: unmet } }),
    service: (service) => publishService(boot, service),
    changed: () => {
      for (const refresh of groups) refresh();
    },
  };
  boot.refreshMembers = () => publishMembers(machine, boot);
}

/** Does its work when what it depends on is no longer the same. */
function group(of: () => readonly unknown[], work: () => void): () => void {
  let before: readonly unknown[] = [];
  return () => {
    const now = of();
    if (now.length === before.length && now.every((value, index) => value === before[index])) return;
    before = now;
    work();
  };
}

/** Only a service that runs is there. */
function publishService({ state }: Boot, { id, state: life, health }: Service): void {
  if (life !== 'Running') return state.destroy(publish.service.type, id);
  publish.service(state, id, { running: true, healthy: health.healthy, unknown: health.unknown });
}

import { publishConfig, publishMembers, publishStanding } from '../facts/cluster.ts';
import { publishMachine } from '../facts/machine.ts';
import { publishNames, publishNetwork } from '../facts/network.ts';
import { publish } from '../state/publish.ts';
import type { Boot } from './boot.ts';
import type { Machine } from './machine.ts';
import type { Service } from './services.ts';

/** Lets the node’s state follow what happens. */
export function observe(machine: Machine, boot: Boot): void {
  const { state } = boot;
  publishMachine(machine, boot);
  publishNetwork(machine, boot);
  const groups = [
    group(
      () => [boot.hostname, boot.nodename, boot.networkOpen.length],
      () => publishNames(boot),
    ),
    group(
      () => [boot.config, machine.disk.config],
      () => publishConfig(machine, boot),
    ),
    group(
      () => [boot.pods, boot.node, machine.etcd?.local()?.member.id, boot.settings],
      () => publishStanding(machine, boot),
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

import type { OpenTalos } from '../talos.ts';
import { byteReads } from './bytes.ts';
import { Line } from './call.ts';
import { machineWrites } from './changes.ts';
import { clusterReads } from './cluster-health.ts';
import { etcdReads, etcdWrites } from './etcd.ts';
import { eventReads } from './events.ts';
import { inventoryReads } from './inventory.ts';
import { machineReads } from './machine.ts';
import { resourceReads } from './resources.ts';
import { upgradeWrites } from './upgrade.ts';

export const openTalos: OpenTalos = (target) => {
  const line = new Line(target);
  const resources = resourceReads(line);
  const machine = machineReads(line, target.access.kind === 'mutual');
  return {
    ...machine,
    ...resources,
    ...inventoryReads(line.host, resources),
    ...byteReads(line),
    ...clusterReads(line),
    ...eventReads(line),
    ...etcdReads(line),
    ...etcdWrites(line),
    ...machineWrites(line),
    ...upgradeWrites(line, machine),
    fingerprint: () => line.session.fingerprint,
    [Symbol.asyncDispose]: () => line[Symbol.asyncDispose](),
  };
};

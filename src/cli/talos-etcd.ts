import type { Command } from 'commander';
import type { EtcdMember, EtcdStatus } from '../clients/talos.ts';
import { act, withAct, type ActOptions } from './talos-act.ts';
import { question, type Question } from './talos-ask.ts';
import type { TalosDoor } from './talos-door.ts';
import { etcdBackups } from './talos-etcd-backup.ts';
import { bytes, yes } from './views/talos-words.ts';

const members: Question<readonly EtcdMember[]> = {
  name: 'members',
  description: 'list the members of etcd',
  examples: ['ichor talos etcd members', 'ichor talos etcd members -n 10.10.0.11,10.10.0.12'],
  whom: 'first',
  ask: (node, signal) => node.etcdMembers(signal),
  columns: [{ title: 'id' }, { title: 'hostname' }, { title: 'peers' }, { title: 'clients' }, { title: 'learner' }],
  rows: (found) =>
    found.map(({ id, hostname, peerUrls, clientUrls, learner }) => [
      id,
      hostname,
      peerUrls.join(' '),
      clientUrls.join(' '),
      yes(learner),
    ]),
  json: (found) => ({ members: found }),
};

const status: Question<EtcdStatus> = {
  name: 'status',
  description: 'say how the etcd of each control plane is',
  examples: ['ichor talos etcd status', 'ichor talos etcd status -n 10.10.0.11 --output json'],
  ask: (node, signal) => node.etcdStatus(signal),
  columns: [
    { title: 'member' },
    { title: 'version' },
    { title: 'size', align: 'right' },
    { title: 'in use', align: 'right' },
    { title: 'leader' },
    { title: 'index', align: 'right' },
    { title: 'term', align: 'right' },
    { title: 'learner' },
    { title: 'errors' },
  ],
  rows: (found) => [
    [
      found.memberId,
      found.version,
      bytes(found.dbSize),
      bytes(found.dbSizeInUse),
      found.leader,
      String(found.raftIndex),
      String(found.raftTerm),
      yes(found.learner),
      found.errors.join('; '),
    ],
  ],
  json: (found) => ({
    status: Object.fromEntries(
      Object.entries(found).map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value]),
    ),
  }),
};

const alarms: Question<readonly { readonly memberId: string; readonly alarm: string }[]> = {
  name: 'list',
  description: 'list what etcd raises alarms about',
  examples: ['ichor talos etcd alarms list'],
  whom: 'first',
  ask: (node, signal) => node.etcdAlarms(signal),
  columns: [{ title: 'member' }, { title: 'alarm' }],
  rows: (found) => found.map(({ memberId, alarm }) => [memberId, alarm]),
  json: (found) => ({ alarms: found }),
};

export function talosEtcd(talos: Command, door: TalosDoor): void {
  const etcd = talos.command('etcd').description('look at etcd, back it up, recover it');
  question(etcd, door, members);
  question(etcd, door, status);
  etcdBackups(etcd, door);

  withAct(etcd.command('forfeit').description('let another member lead'), [
    'ichor talos etcd forfeit -n 10.10.0.11',
  ]).action((options: ActOptions) =>
    act(options, door, {
      whom: 'named',
      act: async (node, _, signal) => {
        const leader = await node.etcdForfeit(signal);
        return leader === undefined ? 'did not lead' : `${leader} leads now`;
      },
    }),
  );

  withAct(etcd.command('leave').description('take control planes out of etcd and delete their data'), [
    'ichor talos etcd leave -n 10.10.0.13',
  ]).action((options: ActOptions) =>
    act(options, door, {
      whom: 'named',
      act: async (node, _, signal) => {
        await node.etcdLeave(signal);
        return 'left etcd';
      },
    }),
  );

  withAct(etcd.command('remove').description('remove a member whose node is gone, by its id').argument('<id>'), [
    'ichor talos etcd remove 6b7b1d5a8f3c2e10 -n 10.10.0.11',
  ]).action((id: string, options: ActOptions) =>
    act(options, door, {
      whom: 'first',
      act: async (node, _, signal) => {
        await node.etcdRemove(id, signal);
        return `removed member ${id}`;
      },
    }),
  );

  withAct(
    etcd.command('defrag').description('give back the space that etcd no longer uses; it stands still meanwhile'),
    ['ichor talos etcd defrag -n 10.10.0.11'],
  ).action((options: ActOptions) =>
    act(options, door, {
      whom: 'named',
      act: async (node, _, signal) => {
        await node.etcdDefragment(signal);
        return 'defragmented';
      },
    }),
  );

  const alarm = etcd.command('alarms').description('look at etcd’s alarms, and disarm them');
  question(alarm, door, alarms);
  withAct(alarm.command('disarm').description('disarm every alarm'), ['ichor talos etcd alarms disarm']).action(
    (options: ActOptions) =>
      act(options, door, {
        whom: 'first',
        act: async (node, _, signal) => {
          await node.etcdDisarm(signal);
          return 'disarmed';
        },
      }),
  );
}

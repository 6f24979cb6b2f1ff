import { Command } from 'commander';
import { expect, test } from 'vitest';
import { labCommands, type LabDoor } from './lab.ts';
import { talosCommands } from './talos.ts';

const nobody = (): never => {
  throw new Error('Help asks nobody.');
};
const door: LabDoor = {
  terminal: nobody,
  tools: { client: nobody, system: nobody },
  kubernetes: { terminal: nobody, open: nobody, helm: nobody, system: nobody },
};

/** Every command that does something, as it is typed, with its help. */
function helps(command: Command, typed: string): readonly (readonly [typed: string, help: string])[] {
  if (command.commands.length > 0) return command.commands.flatMap((each) => helps(each, `${typed} ${each.name()}`));
  let text = '';
  command.configureOutput({ writeOut: (written) => (text += written) }).outputHelp();
  return [[typed, text]];
}

const talos = new Command('talos');
talosCommands(talos, door);
const lab = new Command('lab');
labCommands(lab, door);
const all = [...helps(talos, 'ichor talos'), ...helps(lab, 'ichor lab')];

test('there is a command for everything in a cluster’s life', () => {
  expect(all.map(([typed]) => typed.replace('ichor ', '')).toSorted()).toEqual([
    'lab fault delay',
    'lab fault fail-task',
    'lab fault far',
    'lab fault fill',
    'lab fault heal',
    'lab fault host',
    'lab fault kubernetes',
    'lab fault lock',
    'lab fault lose-answer',
    'lab fault lose-request',
    'lab fault node',
    'lab fault read-only',
    'lab fault refuse',
    'lab fault storm',
    'lab requests',
    'lab start',
    'lab status',
    'lab stop',
    'lab talos',
    'talos addresses',
    'talos apply',
    'talos bootstrap',
    'talos disks',
    'talos dmesg',
    'talos etcd alarms disarm',
    'talos etcd alarms list',
    'talos etcd defrag',
    'talos etcd forfeit',
    'talos etcd leave',
    'talos etcd members',
    'talos etcd recover',
    'talos etcd remove',
    'talos etcd snapshot',
    'talos etcd status',
    'talos events',
    'talos explain',
    'talos gen',
    'talos get',
    'talos health',
    'talos kubeconfig',
    'talos links',
    'talos logs',
    'talos reboot',
    'talos reset',
    'talos rollback',
    'talos services',
    'talos shutdown',
    'talos talosconfig merge',
    'talos talosconfig renew',
    'talos talosconfig show',
    'talos upgrade',
    'talos version',
  ]);
});

test.each(all)('%s has a help with an example of itself', (typed, help) => {
  const [, examples = ''] = help.split('Examples:');
  expect(examples).toContain(typed.replace(/ show$/, ''));
});

const streamsOnly = ['ichor talos logs', 'ichor talos dmesg'];

test.each(all.filter(([typed]) => !streamsOnly.includes(typed)))('%s can speak to programs', (_, help) => {
  expect(help).toMatch(/--output <format>[^-]*json/);
});

import type { Vm } from '../../vm.ts';
import { coresOf, memoryMiB } from '../config/values.ts';
import type { AgentError } from './ask.ts';

const failed = (desc: string): AgentError => ({ error: { class: 'GenericError', desc } });

const blockMiB = 128;

/** What a plain agent says in a guest that has no tools: where the guest itself has nothing to say about a command. */
export function usualAnswer({ config }: Vm, name: string, input: Readonly<Record<string, string>>): unknown {
  switch (name) {
    case 'info':
      return {
        version: '10.0.13',
        supported_commands: commands.map((each) => ({
          name: `guest-${each}`,
          enabled: true,
          'success-response': true,
        })),
      };
    case 'get-fsinfo':
    case 'get-users':
      return [];
    case 'get-timezone':
      return { zone: 'UTC', offset: 0 };
    case 'get-vcpus':
      return Array.from({ length: coresOf(config) }, (_, index) => ({
        'logical-id': index,
        online: true,
        'can-offline': index > 0,
      }));
    case 'get-memory-blocks':
      return Array.from({ length: Math.ceil(memoryMiB(config) / blockMiB) }, (_, index) => ({
        'phys-index': index,
        online: true,
        'can-offline': true,
      }));
    case 'get-memory-block-info':
      return { size: blockMiB * 1024 ** 2 };
    case 'fsfreeze-status':
      return 'thawed';
    case 'fsfreeze-freeze':
    case 'fsfreeze-thaw':
      return 0;
    case 'fstrim':
      return { paths: [] };
    case 'suspend-disk':
    case 'suspend-ram':
    case 'suspend-hybrid':
      return failed("suspend: cannot write to '/sys/power/state': No such device");
    case 'exec':
      return failed(
        `Guest agent command failed, error was 'Failed to execute child process “${input['path'] ?? ''}” (No such file or directory)'`,
      );
    case 'exec-status':
      return failed('PID ld does not exist');
    case 'file-read':
      return failed(`failed to open file '${input['file'] ?? ''}' (mode: 'r'): No such file or directory`);
    case 'file-write':
      return failed(`failed to open file '${input['file'] ?? ''}' (mode: 'wb'): No such file or directory`);
    case 'set-user-password':
      return failed(
        "child process has failed to set user password: failed to exec 'chpasswd': No such file or directory\n",
      );
    default:
      return { error: { class: 'CommandNotFound', desc: `The command guest-${name} has not been found` } };
  }
}

const commands = [
  'exec exec-status file-close file-flush file-open file-read file-seek file-write fsfreeze-freeze fsfreeze-freeze-list',
  'fsfreeze-status fsfreeze-thaw fstrim get-cpustats get-disks get-diskstats get-fsinfo get-host-name get-load',
  'get-memory-block-info get-memory-blocks get-osinfo get-time get-timezone get-users get-vcpus info',
  'network-get-interfaces network-get-route ping set-memory-blocks set-time set-user-password set-vcpus shutdown',
  'ssh-add-authorized-keys ssh-get-authorized-keys ssh-remove-authorized-keys suspend-disk suspend-hybrid suspend-ram',
  'sync sync-delimited',
].flatMap((line) => line.split(' '));

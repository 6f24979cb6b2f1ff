import { describe, expect, test } from 'vitest';
import { refusalOf, taskFailure } from './classify.ts';

const asked = { doing: 'start VM 401 on pve1', who: 'automation@pve!ichor', host: 'pve1', vmid: 401 };

/** As a person reads it: who acts next, the sentence, and what to do. */
const shown = (status: number, said: string, errors: Readonly<Record<string, string>> = {}) => {
  const { code, recovery, message, remedy } = refusalOf({ status, said, errors }, asked);
  return [code, recovery, message, remedy];
};

describe('what a host says becomes a sentence with something to type', () => {
  test.each<[status: number, said: string, code: string, next: string, message: string, types: string]>([
    [
      500,
      'cluster not ready - no quorum?',
      'proxmox-no-quorum',
      'wait',
      'Proxmox refused to start VM 401 on pve1: the cluster has lost its quorum and takes no changes until it is back.',
      'ssh root@pve1 pvecm status',
    ],
    [
      500,
      "unable to open file '/etc/pve/nodes/pve1/qemu-server/401.conf.tmp.123' - Permission denied",
      'proxmox-no-quorum',
      'wait',
      'Proxmox refused to start VM 401 on pve1: the cluster has lost its quorum and takes no changes until it is back.',
      'ssh root@pve1 pvecm status',
    ],
    [
      500,
      "create pool failed: cfs-lock 'file-user_cfg' error: no quorum!",
      'proxmox-no-quorum',
      'wait',
      'Proxmox refused to start VM 401 on pve1: the cluster has lost its quorum and takes no changes until it is back.',
      'ssh root@pve1 pvecm status',
    ],
    [
      500,
      "can't lock file '/var/lock/qemu-server/lock-401.conf' - got timeout",
      'proxmox-busy',
      'retry',
      "Proxmox refused to start VM 401 on pve1: can't lock file '/var/lock/qemu-server/lock-401.conf' - got timeout",
      'ssh root@pve1 pvenode task list --source active',
    ],
    [
      500,
      "cfs-lock 'storage-ceph' error: got lock request timeout",
      'proxmox-busy',
      'retry',
      "Proxmox refused to start VM 401 on pve1: cfs-lock 'storage-ceph' error: got lock request timeout",
      'ssh root@pve1 pvenode task list --source active',
    ],
    [
      500,
      'VM is locked (backup)',
      'proxmox-locked',
      'wait',
      'Proxmox refused to start VM 401 on pve1: the VM is locked, because somebody is busy with it (backup).',
      'ssh root@pve1 qm unlock 401',
    ],
    [
      500,
      'got no worker upid - start worker failed',
      'proxmox-no-worker',
      'retry',
      'Proxmox refused to start VM 401 on pve1: got no worker upid - start worker failed',
      'ssh root@pve1 pvenode task list --source active',
    ],
    [
      500,
      "hostname lookup 'pve9' failed - failed to get address info for: pve9: Name or service not known",
      'proxmox-no-host',
      'ask',
      'Proxmox refused to start VM 401 on pve1: there is no host “pve9” in this cluster.',
      'pvecm nodes',
    ],
    [
      500,
      "storage 'fast' does not exist",
      'proxmox-no-storage',
      'ask',
      "Proxmox refused to start VM 401 on pve1: storage 'fast' does not exist",
      'ssh root@pve1 pvesm status',
    ],
    [
      500,
      "storage 'local' is not configured for content-type 'import'",
      'proxmox-storage-content',
      'ask',
      "Proxmox refused to start VM 401 on pve1: storage 'local' is not configured for content-type 'import'",
      'ssh root@pve1 pvesm set local --content import',
    ],
    [
      500,
      "bridge 'vmbr9' does not exist",
      'proxmox-no-bridge',
      'ask',
      "Proxmox refused to start VM 401 on pve1: bridge 'vmbr9' does not exist",
      'ssh root@pve1 ip -br link show type bridge',
    ],
    [
      403,
      "Permission check failed (pool 'talos' does not exist)",
      'proxmox-no-pool',
      'ask',
      "Proxmox refused to start VM 401 on pve1: Permission check failed (pool 'talos' does not exist)",
      'ssh root@pve1 pveum pool add talos',
    ],
    [
      500,
      'unable to create image: No space left on device',
      'proxmox-storage-full',
      'ask',
      'Proxmox refused to start VM 401 on pve1: unable to create image: No space left on device',
      'ssh root@pve1 pvesm status',
    ],
    [
      500,
      "can't remove VM 401 - protection mode enabled",
      'proxmox-protected',
      'ask',
      'Proxmox refused to start VM 401 on pve1: somebody has protected the VM against removal.',
      'ssh root@pve1 qm set 401 --protection 0',
    ],
    [
      500,
      'MAX 8 vcpus allowed per VM on this node',
      'proxmox-too-many-cpus',
      'ask',
      'Proxmox refused to start VM 401 on pve1: the host has 8 processors, and a VM may not have more than its host.',
      'ichor place',
    ],
    [
      401,
      'Authentication failed!',
      'proxmox-unauthorized',
      'ask',
      'Proxmox does not accept the token automation@pve!ichor.',
      'pveum user token list automation@pve',
    ],
    [
      595,
      'No route to host',
      'proxmox-host-offline',
      'retry',
      'Proxmox could not start VM 401 on pve1: pve1 cannot be reached by the host that was asked (No route to host).',
      'ssh root@pve1 systemctl status pveproxy pvedaemon',
    ],
    [
      596,
      'Connection timed out',
      'proxmox-lost-answer',
      'retry',
      'Proxmox was asked to start VM 401 on pve1, and pve1 did not say how that ended (596 Connection timed out).',
      'ssh root@pve1 systemctl status pveproxy pvedaemon',
    ],
    [
      501,
      "Method 'GET /nosuch' not implemented",
      'proxmox-too-old',
      'ask',
      "Proxmox refused to start VM 401 on pve1: Method 'GET /nosuch' not implemented",
      'pveversion',
    ],
  ])('%i %s', (status, said, code, next, message, types) => {
    const [found, recovery, sentence, remedy] = shown(status, said);
    expect([found, recovery, sentence, remedy?.split('\n').at(-1)?.trim()]).toEqual([code, next, message, types]);
  });

  test.each<[said: string, code: string]>([
    ["Configuration file 'nodes/pve1/qemu-server/401.conf' does not exist", 'proxmox-no-vm'],
    ["unable to find configuration file for VM 999 on node 'pve1'", 'proxmox-no-vm'],
    ["unable to create VM 101 - VM 101 already exists on node 'pve1'", 'proxmox-exists'],
    ['VM 401 is running - destroy failed', 'proxmox-running'],
    ['VM 401 already running', 'proxmox-already-running'],
    ['VM 401 is not running', 'proxmox-not-running'],
    ['VM 401 not running', 'proxmox-not-running'],
    ['QEMU guest agent is not running', 'proxmox-agent'],
    ['No QEMU guest agent configured', 'proxmox-agent'],
    ["VM 401 qga command 'guest-network-get-interfaces' failed - got timeout", 'proxmox-slow'],
    ['got timeout', 'proxmox-slow'],
    ["command '/sbin/lvs --separator :' failed: got timeout", 'proxmox-slow'],
    ['checksum mismatch (file change by other user?)', 'proxmox-changed'],
    [
      'update resources config failed: detected modified configuration - file changed by other user? Try again.',
      'proxmox-changed',
    ],
    ["refusing to override existing file '/var/lib/vz/template/iso/x.iso'", 'proxmox-file-exists'],
    ["download failed: wget: unable to resolve host address 'x'", 'proxmox-download'],
    ["checksum mismatch: got 'ab' != expect 'cd', aborting", 'proxmox-image-checksum'],
    ["volume 'local:iso/nosuch.iso' does not exist", 'proxmox-no-volume'],
    ["only root can set 'args' config", 'proxmox-root-only'],
    ['shrinking disks is not supported', 'proxmox-shrink'],
    [
      "create ha rule failed: 400 Rule 'x' is invalid.\nresources: rule defines more resources than available nodes",
      'proxmox-ha-rule',
    ],
    ["create resource failed: resource ID 'vm:101' already defined", 'proxmox-ha-state'],
    ['something nobody has seen', 'proxmox-refused'],
  ])('%s', (said, code) => {
    expect(refusalOf({ status: 500, said, errors: {} }, asked).code).toBe(code);
  });
});

test('wrong parameters are named one by one', () => {
  expect(
    shown(400, 'Parameter verification failed.', {
      cpu: "invalid format - Built-in cputype 'x' is not defined (missing 'custom-' prefix?)\n",
      vmid: 'type check failed',
    })[2],
  ).toBe(
    "Proxmox refused to start VM 401 on pve1: Parameter verification failed - cpu: invalid format - Built-in cputype 'x' is not defined (missing 'custom-' prefix?); vmid: type check failed",
  );
});

describe('a missing right', () => {
  test('is named with its path; to give it there alone would take away what comes from above', () => {
    expect(shown(403, 'Permission check failed (/vms/401, VM.PowerMgmt)')).toEqual([
      'proxmox-permission',
      'ask',
      'automation@pve!ichor may not start VM 401 on pve1: it lacks VM.PowerMgmt on /vms/401.',
      'Let ichor say which roles it needs where. A right given at that path alone would take away what comes from above:\n    ichor doctor',
    ]);
  });

  test('of several that would do, is one', () => {
    expect(shown(403, 'Permission check failed (/storage/local, Datastore.AllocateSpace|Datastore.Audit)')[2]).toBe(
      'automation@pve!ichor may not start VM 401 on pve1: it lacks Datastore.AllocateSpace on /storage/local.',
    );
  });

  test('is known from what was asked where the host says nothing more', () => {
    const needs = { path: '/vms/401', privilege: 'VM.Allocate' };
    const { message } = refusalOf({ status: 403, said: 'Permission check failed', errors: {} }, { ...asked, needs });
    expect(message).toBe('automation@pve!ichor may not start VM 401 on pve1: it lacks VM.Allocate on /vms/401.');
  });
});

describe('a task that failed', () => {
  test('is told with the last lines of its log', () => {
    const log = [
      '1',
      '2',
      '3',
      '4',
      '5',
      'kvm: no such device',
      'last words',
      'TASK ERROR: start failed: QEMU exited with code 1',
    ];
    expect(taskFailure('start failed: QEMU exited with code 1', log, asked).message).toBe(
      [
        'Proxmox refused to start VM 401 on pve1: start failed: QEMU exited with code 1',
        'The last lines of its log:',
        '    2',
        '    3',
        '    4',
        '    5',
        '    kvm: no such device',
        '    last words',
      ].join('\n'),
    );
  });

  test('for want of a right names that', () => {
    const exit = 'unable to create VM 120 - 403 Permission check failed (/vms/120, VM.Config.Options)';
    const { code, message } = taskFailure(exit, [], asked);
    expect([code, message]).toEqual([
      'proxmox-permission',
      'automation@pve!ichor may not start VM 401 on pve1: it lacks VM.Config.Options on /vms/120.',
    ]);
  });
});

import { wrong } from '../case.ts';
import type { Case, Chapter } from '../case.ts';

const format = (text: string): string => `invalid format - ${text}\n`;
const property = (...lines: readonly string[]): string =>
  `invalid format - format error\n${lines.map((line) => `${line}\n`).join('')}`;

/** A VM that is made with one thing wrong. */
const vm = (name: string, key: string, value: string | number, complaint: string): Case =>
  wrong(name, 'POST /nodes/h1/qemu', { form: { vmid: 4100, [key]: value } }, { [key]: complaint });

const missing = 'property is missing and it is not optional';
const unknown = 'property is not defined in schema and the schema does not allow additional properties';

export const parameters: Chapter = {
  title: 'parameters',
  cases: [
    wrong('what must be there', 'POST /nodes/h1/qemu', { form: 'name=x' }, { vmid: missing }),
    wrong(
      'everything that is wrong, at once',
      'POST /nodes/h1/qemu',
      { form: { vmid: 'seven', cores: 0, onboot: 'on', bios: 'efi', colour: 'red', memory: 8 } },
      {
        vmid: "type check ('integer') failed - got 'seven'",
        cores: 'value must have a minimum value of 1',
        onboot: "type check ('boolean') failed - got 'on'",
        bios: "value 'efi' does not have a value in the enumeration 'seabios, ovmf'",
        colour: unknown,
        memory: property('memory.current: value must have a minimum value of 16'),
      },
    ),
    wrong(
      'a VMID that is none',
      'GET /nodes/h1/qemu/42/config',
      {},
      {
        vmid: format('value does not look like a valid VM ID'),
      },
    ),
    wrong(
      'nothing where a number is wanted',
      'GET /cluster/nextid?vmid=',
      {},
      {
        vmid: "type check ('integer') failed - got ''",
      },
    ),
    vm('a number that is too big', 'cpulimit', 129, 'value must have a maximum value of 128'),
    vm('a number that is none', 'cpulimit', 'half', "type check ('number') failed - got 'half'"),
    vm('a text that is too long', 'description', 'x'.repeat(8193), 'value may only be 8192 characters long'),
    vm('a name that no host could have', 'name', '-x', format('value does not look like a valid DNS name')),
    vm('a tag with a blank in it that is none', 'tags', 'a;b/c', format('invalid characters in tag')),
    vm('an order of starting', 'startup', 'first', format('unable to parse startup options')),
    vm('a serial port', 'serial0', 'ttyS0', 'value does not match the regex pattern'),
    vm('a name server', 'nameserver', '1.1.1.1 x_y', format('value does not look like a valid address: x_y')),
    vm(
      'an address that many share',
      'net0',
      'virtio=03:00:00:00:00:01,bridge=vmbr0',
      property('net0.macaddr: invalid format - value does not look like a valid unicast MAC address\n'),
    ),
    vm('a VLAN that is none', 'net3', 'e1000,tag=0', property('net3.tag: value must have a minimum value of 1')),
    vm(
      'a card without a model',
      'net0',
      'bridge=vmbr0',
      property('net0.model: property is missing and it is not optional'),
    ),
    vm('a card that there is not', 'net32', 'virtio', unknown),
    vm('one key twice', 'scsi1', 'tank:4,ssd=1,ssd=1', format('duplicate key in comma-separated list property: ssd')),
    vm('a key that disks do not have', 'virtio1', 'tank:4,wings=2', property(`virtio1.wings: ${unknown}`)),
    vm(
      'a disk that lies nowhere',
      'scsi0',
      '4',
      property("scsi0.file: invalid format - unable to parse volume ID '4'\n"),
    ),
    vm(
      'a device to boot from',
      'boot',
      'order=net0;disk',
      property("boot.order: invalid format - invalid boot device 'disk'\n"),
    ),
    vm('a processor', 'cpu', 'z80', format("Built-in cputype 'z80' is not defined (missing 'custom-' prefix?)")),
    vm('an identity', 'smbios1', 'uuid=me', property('smbios1.uuid: value does not match the regex pattern')),
    vm(
      'a way out without an address',
      'ipconfig0',
      'gw=10.9.0.1',
      property("ipconfig0.ip: missing property required by 'ipconfig0.gw'"),
    ),
    vm(
      'an address without a network',
      'ipconfig1',
      'ip=10.9.0.2',
      property('ipconfig1.ip: invalid format - value does not look like a valid ipv4 network configuration\n'),
    ),
    wrong(
      'what is nothing alone',
      'POST /nodes/h1/qemu',
      { form: { vmid: 4100, unique: 1 } },
      {
        archive: "missing property required by 'unique'",
      },
    ),
    wrong(
      'a rule lacks what its kind needs',
      'POST /cluster/ha/rules',
      { form: { rule: 'apart', type: 'resource-affinity', resources: 'vm:4100' } },
      { 'oneOf[resource-affinity].affinity': missing },
    ),
    wrong(
      'a rule has what its kind does not',
      'POST /cluster/ha/rules',
      { form: { rule: 'apart', type: 'resource-affinity', resources: 'vm:4100', affinity: 'negative', strict: 1 } },
      { strict: unknown },
    ),
    wrong(
      'a rule of no kind has nothing',
      'PUT /cluster/ha/rules/apart',
      { form: { comment: 'x' } },
      {
        type: missing,
        comment: unknown,
      },
    ),
  ],
};

import { pick, type Dice } from '../dice.ts';
import type { Fields, Value } from '../../src/talos/config/document.ts';
import type { FieldType, StructType } from '../../src/talos/fields/types.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Few values each, so that two of them often meet; zero values among them. */
const leafValues: Readonly<Record<string, readonly Value[]>> = {
  bytes: ['a'],
  'time.Duration': ['0s', '30s', '1m0s', '1h0m0s'],
  'block.ByteSize': ['10GiB', '50GB', '1048576'],
  'block.Size': ['10GiB', '50%', '75%', '100GB'],
  'block.EncryptionProviderType': ['none', 'luks2'],
  'block.FilesystemType': ['none', 'xfs', 'ext4'],
  'block.VolumeType': ['partition', 'directory', 'disk'],
  'cel.Expression': ['system_disk', 'disk.size > 10u'],
  'meta.URL': ['https://a.example.org/', 'http://b.example.org:8080', 'https://u:p@c.example.org/x?y=1'],
  'v1alpha1.Endpoint': [
    'https://10.0.0.1:6443',
    'https://vip.example.org:6443/path',
    'tcp://10.0.0.9:5044',
    'https://a/?q=1#f',
  ],
  'nethelpers.ADLACPActive': ['on', 'off'],
  'nethelpers.ADSelect': ['stable', 'count'],
  'nethelpers.ARPAllTargets': ['any', 'all'],
  'nethelpers.ARPValidate': ['none', 'backup'],
  'nethelpers.AutoHostnameKind': ['off', 'stable'],
  'nethelpers.BondMode': ['balance-rr', '802.3ad', 'active-backup'],
  'nethelpers.BondXmitHashPolicy': ['layer2', 'layer3+4'],
  'nethelpers.ClientIdentifier': ['none', 'mac', 'duid'],
  'nethelpers.DNSProtocol': ['Do53', 'DoT'],
  'nethelpers.DefaultAction': ['accept', 'block'],
  'nethelpers.FailOverMAC': ['none', 'active'],
  'nethelpers.HardwareAddr': ['02:00:00:00:00:01', '02:00:00:00:00:02'],
  'nethelpers.LACPRate': ['slow', 'fast'],
  'nethelpers.PrimaryReselect': ['always', 'better'],
  'nethelpers.Protocol': ['tcp', 'udp', 'icmp'],
  'nethelpers.RoutingRuleAction': ['unicast', 'blackhole'],
  'nethelpers.RoutingTable': ['main', '100'],
  'nethelpers.VLANProtocol': ['802.1q', '802.1ad'],
  'nethelpers.WOLMode': ['magic', 'unicast'],
  'netip.Addr': ['10.0.0.1', 'fd00::1'],
  'netip.AddrPort': ['10.0.0.1:51820', '[fd00::1]:51820'],
  'netip.Prefix': ['10.0.0.0/24', '10.1.0.0/16', 'fd00::/64'],
  'network.Addr': ['10.0.0.1', 'fd00::1'],
  'network.AddrPort': ['10.0.0.1:51820'],
  'network.Prefix': ['10.0.0.0/24', '0.0.0.0/0'],
  'meta.Addr': ['10.0.0.1', 'fd00::1'],
  'meta.AddrPort': ['10.0.0.1:51820'],
  'meta.Prefix': ['10.0.0.0/24', '0.0.0.0/0'],
  'v1alpha1.ArgValue': ['', 'x', 'y', ['a', 'b'], ['c'], []],
  'meta.ArgValue': ['x', 'y', ['a', 'b'], ['c']],
  'v1alpha1.Base64Bytes': [base64('one'), base64('two'), ''],
  'v1alpha1.DiskSize': ['100 MB', '1.0 GB', 123],
  'v1alpha1.InstallDiskSizeMatcher': ['>= 20GB', '10GB'],
  'network.PortRange': [80, 443, '8000-8010'],
  'x509.PEMEncodedCertificate': [{ crt: base64('crt') }, { crt: base64('other crt') }],
  'x509.PEMEncodedCertificateAndKey': [
    { crt: base64('crt'), key: base64('key') },
    { crt: base64('only crt') },
    { key: base64('only key') },
    { crt: base64('crt'), key: '' },
  ],
  'x509.PEMEncodedKey': [{ key: base64('key') }, { key: base64('other') }],
};

/** Names by which items and documents find each other. */
const names = ['a', 'b', 'eth0', '10.0.0.5'];
const words = ['', 'x', 'y', 'z z', '1', 'true', 'off', '0644', '10.0.0.0/24', 'line\nline'];
const keyFields = new Set([
  'name',
  'interface',
  'deviceSelector',
  'physical',
  'vlans',
  'vlanId',
  'configFiles',
  'mountPath',
  'rules',
  'image',
  'destination',
  'path',
]);

/** A value that Talos can decode into a field of this type. */
export function someValue(type: FieldType, dice: Dice, depth = 0): Value {
  switch (type.kind) {
    case 'pointer':
      return someValue(type.to, dice, depth);
    case 'struct':
      return someStruct(type, dice, depth + 1);
    case 'list':
      return Array.from({ length: dice(3) }, () =>
        dice(25) === 0 && type.of.kind !== 'pointer' ? null : someValue(type.of, dice, depth + 1),
      );
    case 'map': {
      const keys = Array.from({ length: dice(3) }, () => pick(dice, ['k', 'l', 'docker.io', 'a.b/c']));
      return Object.fromEntries(keys.map((key) => [key, someValue(type.of, dice, depth + 1)]));
    }
    case 'any':
      return somethingFree(dice, depth);
    case 'leaf': {
      const values = leafValues[type.name];
      if (values === undefined) throw new Error(`There are no values of ${type.name}.`);
      return pick(dice, values);
    }
    case 'string':
      // Numbers and flags without quotes are text where text is wanted.
      return dice(12) === 0 ? pick<Value>(dice, [5, true, 0, 1.5]) : pick(dice, words);
    case 'bool':
      return dice(2) === 0;
    case 'integer':
      return pick(dice, [0, 1, 7, 100]);
  }
}

/** Some of the fields; those by which lists are merged more often than others. */
export function someStruct(type: StructType, dice: Dice, depth = 0): Fields {
  const most = depth === 0 ? 5 : 4;
  const fields: Record<string, Value> = {};
  const all = [...type.fields.values()];
  const chosen = new Set(Array.from({ length: dice(most + 1) }, () => (all.length === 0 ? '' : pick(dice, all).name)));
  for (const field of all) {
    // Talos writes an absent protocol as a word that it does not read again.
    const isNeeded = field.type.kind === 'leaf' && field.type.name === 'nethelpers.Protocol';
    const isKey = isNeeded || (keyFields.has(field.name) && dice(4) > 0);
    if (!chosen.has(field.name) && !isKey) continue;
    fields[field.name] =
      keyFields.has(field.name) && field.type.kind === 'string'
        ? pick(dice, names)
        : someValue(field.type, dice, depth);
  }
  return fields;
}

/** Where Talos knows no types. */
function somethingFree(dice: Dice, depth: number): Value {
  switch (dice(depth > 4 ? 4 : 6)) {
    case 0:
      return pick(dice, words);
    case 1:
      return pick(dice, [0, 3, 12]);
    case 2:
      return dice(2) === 0;
    case 3:
      return pick(dice, ['x', 1.5, 'y']);
    case 4:
      return Array.from({ length: dice(3) }, () => somethingFree(dice, depth + 1));
    default: {
      const keys = Array.from({ length: dice(3) }, () => pick(dice, ['k', 'l', 'm']));
      return Object.fromEntries(keys.map((key) => [key, somethingFree(dice, depth + 1)]));
    }
  }
}

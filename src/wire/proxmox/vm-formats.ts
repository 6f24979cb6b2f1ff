import { cdrom } from './vm-drives.ts';
import { first, flag, integer, keyAlias, needed, number, oneOf, parts, text, words } from './notation.ts';
import type { Parts } from './notation.ts';
import { macAddress, notNegative, vlanTag, volumeId } from './values.ts';

const base64 = text({ pattern: /[A-Za-z0-9+/]+={0,2}/ });
const pciId = text({ pattern: /^0x[0-9a-fA-F]{4}$/ });
const nicModels = words(
  'e1000 e1000-82540em e1000-82544gc e1000-82545em e1000e i82551 i82557b i82559er ne2k_isa ne2k_pci',
  'pcnet rtl8139 virtio vmxnet3',
);

/** A network card; `virtio=MAC` says model and address at once. */
export const nic: Parts = {
  ...Object.fromEntries(nicModels.map((model) => [model, keyAlias('macaddr', 'model')])),
  bridge: text({ format: 'pve-bridge-id' }),
  firewall: flag(),
  'host-tunnel': flag(),
  link_down: flag(),
  macaddr: macAddress,
  model: needed(first(oneOf(nicModels))),
  mtu: integer({ minimum: 1, maximum: 65_520 }),
  queues: integer({ minimum: 0, maximum: 64 }),
  rate: number({ minimum: 0 }),
  tag: vlanTag,
  trunks: text({ pattern: /\d+(?:-\d+)?(?:;\d+(?:-\d+)?)*/ }),
};

export const machine = parts({
  'aw-bits': number({ minimum: 32, maximum: 64 }),
  'enable-s3': flag(),
  'enable-s4': flag(),
  type: first(
    text({
      pattern:
        /(pc|pc(-i440fx)?-\d+(\.\d+)+(\+pve\d+)?(\.pxe)?|q35|pc-q35-\d+(\.\d+)+(\+pve\d+)?(\.pxe)?|virt(?:-\d+(\.\d+)+)?(\+pve\d+)?)/,
      maxLength: 40,
    }),
  ),
  viommu: oneOf(['intel', 'virtio']),
});

/** Processors that a VM can say it has. */
const cpuModels = words(
  '486 a64fx athlon Broadwell Broadwell-IBRS Broadwell-noTSX Broadwell-noTSX-IBRS',
  'Cascadelake-Server Cascadelake-Server-noTSX Cascadelake-Server-v2 Cascadelake-Server-v4',
  'Cascadelake-Server-v5 ClearwaterForest Conroe Cooperlake Cooperlake-v2 core2duo coreduo',
  'cortex-a35 cortex-a53 cortex-a55 cortex-a57 cortex-a710 cortex-a72 cortex-a76 EPYC EPYC-Genoa',
  'EPYC-Genoa-v2 EPYC-IBPB EPYC-Milan EPYC-Milan-v2 EPYC-Milan-v3 EPYC-Rome EPYC-Rome-v2',
  'EPYC-Rome-v3 EPYC-Rome-v4 EPYC-Rome-v5 EPYC-Turin EPYC-v3 EPYC-v4 EPYC-v5 GraniteRapids',
  'GraniteRapids-v2 GraniteRapids-v3 Haswell Haswell-IBRS Haswell-noTSX Haswell-noTSX-IBRS host',
  'Icelake-Client Icelake-Client-noTSX Icelake-Server Icelake-Server-noTSX Icelake-Server-v3',
  'Icelake-Server-v4 Icelake-Server-v5 Icelake-Server-v6 Icelake-Server-v7 IvyBridge IvyBridge-IBRS',
  'KnightsMill kvm32 kvm64 max Nehalem Nehalem-IBRS neoverse-n1 neoverse-n2 neoverse-v1 Opteron_G1',
  'Opteron_G2 Opteron_G3 Opteron_G4 Opteron_G5 Penryn pentium pentium2 pentium3 phenom qemu32',
  'qemu64 SandyBridge SandyBridge-IBRS SapphireRapids SapphireRapids-v2 SapphireRapids-v3',
  'SapphireRapids-v4 SierraForest SierraForest-v2 SierraForest-v3 Skylake-Client',
  'Skylake-Client-IBRS Skylake-Client-noTSX-IBRS Skylake-Client-v4 Skylake-Server',
  'Skylake-Server-IBRS Skylake-Server-noTSX-IBRS Skylake-Server-v4 Skylake-Server-v5 Westmere',
  'Westmere-IBRS',
);

/** Property strings that go by a name. */
export const vmFormats: Readonly<Record<string, Parts>> = {
  'pve-qemu-sev-fmt': {
    'allow-smt': flag(),
    'kernel-hashes': flag(),
    'no-debug': flag(),
    'no-key-sharing': flag(),
    type: needed(first(oneOf(['std', 'es', 'snp'], { maxLength: 3 }))),
  },
  'pve-qemu-tdx-fmt': {
    attestation: needed(flag()),
    type: needed(first(oneOf(['tdx']))),
    'vsock-cid': integer({ minimum: 2 }),
    'vsock-port': notNegative,
  },
  'pve-qm-boot': { legacy: first(text({ pattern: /[acdn]{1,4}/ })), order: text({ format: 'pve-qm-bootdev-list' }) },
  'pve-qm-cicustom': { meta: volumeId, network: volumeId, user: volumeId, vendor: volumeId },
  'pve-qm-hostpci': {
    'device-id': pciId,
    driver: oneOf(['vfio', 'keep']),
    host: first(
      text({
        pattern:
          /(?:(?:[a-f0-9]{4,}:)?[a-f0-9]{2}:[a-f0-9]{2}(?:\.[a-f0-9])?)(;(?:(?:[a-f0-9]{4,}:)?[a-f0-9]{2}:[a-f0-9]{2}(?:\.[a-f0-9])?))*/,
      }),
    ),
    'legacy-igd': flag(),
    mapping: text({ format: 'pve-configid' }),
    mdev: text({ pattern: /[^/.:]+/ }),
    pcie: flag(),
    rombar: flag(),
    romfile: text({ pattern: /[^,;]+/ }),
    'sub-device-id': pciId,
    'sub-vendor-id': pciId,
    'vendor-id': pciId,
    'x-vga': flag(),
  },
  'pve-qm-ipconfig': {
    gw: text({ format: 'ipv4', requires: 'ip' }),
    gw6: text({ format: 'ipv6', requires: 'ip6' }),
    ip: text({ format: 'pve-ipv4-config' }),
    ip6: text({ format: 'pve-ipv6-config' }),
  },
  'pve-qm-rng': {
    max_bytes: integer(),
    period: integer(),
    source: needed(first(oneOf(['/dev/urandom', '/dev/random', '/dev/hwrng']))),
  },
  'pve-qm-smbios1': {
    base64: flag(),
    family: base64,
    manufacturer: base64,
    product: base64,
    serial: base64,
    sku: base64,
    uuid: text({ pattern: /[a-fA-F0-9]{8}(?:-[a-fA-F0-9]{4}){3}-[a-fA-F0-9]{12}/ }),
    version: base64,
  },
  'pve-qm-watchdog': {
    action: oneOf(['reset', 'shutdown', 'poweroff', 'pause', 'debug', 'none']),
    model: first(oneOf(['i6300esb', 'ib700'])),
  },
  'pve-vm-cpu-conf': {
    cputype: first(text()),
    flags: text({ pattern: /(?:([+-])([a-zA-Z0-9\-_.]+))(;(?:([+-])([a-zA-Z0-9\-_.]+)))*/ }),
    'guest-phys-bits': integer({ minimum: 32, maximum: 64 }),
    hidden: flag(),
    'hv-vendor-id': text({ pattern: /[a-zA-Z0-9]{1,12}/ }),
    level: integer({ minimum: 0, maximum: 4_294_967_295 }),
    'phys-bits': text({ format: 'pve-phys-bits' }),
    'reported-model': oneOf(cpuModels),
  },
  'pve-qm-ide': cdrom,
};

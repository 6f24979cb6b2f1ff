import { answer, type Routes } from '../call.ts';
import { isAlias } from '../../../wire/proxmox/notation.ts';
import { vmFormats } from '../../../wire/proxmox/vm-formats.ts';

const reported = vmFormats['pve-vm-cpu-conf']?.['reported-model'];
const models = reported === undefined || isAlias(reported) ? [] : (reported.enum ?? []);
const levels = ['x86-64-v2', 'x86-64-v2-AES', 'x86-64-v3', 'x86-64-v4'];

function vendorOf(name: string): string {
  if (/^(host|kvm|max|qemu)/.test(name)) return 'default';
  return /^(EPYC|Opteron|athlon|phenom)/.test(name) ? 'AuthenticAMD' : 'GenuineIntel';
}

const processors = [
  ...models.map((name) => ({ name, custom: 0, vendor: vendorOf(name) })),
  ...levels.map((name) => ({ name, custom: 0, vendor: 'default', abstract: 1 })),
];

/** Newest first; versions that Proxmox made of its own have a word about what is new in them. */
const machineVersions: readonly { readonly version: string; readonly changes?: string }[] = [
  { version: '10.0+pve1', changes: 'Set host_mtu vNIC option even with default value for migration compat.' },
  { version: '10.0' },
  { version: '9.2+pve1', changes: 'Disables S3/S4 power states by default.' },
  ...['9.2', '9.1', '9.0', '8.2', '8.1', '8.0', '7.2', '6.2', '5.2', '4.2'].map((version) => ({ version })),
];

const machines = machineVersions.flatMap((each) => [
  { id: `pc-i440fx-${each.version}`, type: 'i440fx', ...each },
  { id: `pc-q35-${each.version}`, type: 'q35', ...each },
]);

/** Flags that a VM may switch on or off by itself. */
const flags: Readonly<Record<string, string>> = {
  'nested-virt': 'Controls nested virtualization, namely "svm" for AMD and "vmx" for Intel.',
  'md-clear': 'Required to let the guest OS know if MDS is mitigated correctly.',
  pcid: 'Meltdown fix cost reduction on Westmere, Sandy-, and IvyBridge Intel CPUs.',
  'spec-ctrl': 'Allows improved Spectre mitigation with Intel CPUs.',
  ssbd: 'Protection for "Speculative Store Bypass" for Intel models.',
  ibpb: 'Allows improved Spectre mitigation with AMD CPUs.',
  'virt-ssbd': 'Basis for "Speculative Store Bypass" protection for AMD models.',
  'amd-ssbd': 'Improves Spectre mitigation performance with AMD CPUs, best used with "virt-ssbd".',
  'amd-no-ssb': 'Notifies guest OS that host is not vulnerable for Spectre on AMD CPUs.',
  pdpe1gb: 'Allow guest OS to use 1GB size pages, if host HW supports it.',
  'hv-tlbflush': 'Improve performance in overcommitted Windows guests.',
  'hv-evmcs': 'Improve performance for nested virtualization.',
  aes: 'Activate AES instruction set for HW acceleration.',
};

export const capabilityRoutes: Routes = {
  'GET /nodes/{node}/capabilities/qemu': ({ datacenter }) =>
    answer(
      ['cpu', ...(datacenter.version.major < 9 ? [] : ['cpu-flags']), 'machines', 'migration'].map((name) => ({
        name,
      })),
    ),
  'GET /nodes/{node}/capabilities/qemu/cpu': () => answer(processors),
  'GET /nodes/{node}/capabilities/qemu/machines': () => answer(machines),
  'GET /nodes/{node}/capabilities/qemu/migration': () => answer({ 'has-dbus-vmstate': 1 }),
  'GET /nodes/{node}/capabilities/qemu/cpu-flags': ({ datacenter }) =>
    answer(
      Object.entries(flags).map(([name, description]) => ({
        name,
        description,
        'supported-on': [...datacenter.hosts.keys()],
      })),
    ),
};

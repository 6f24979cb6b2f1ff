import { vmFormats } from '../../../wire/proxmox/vm-formats.ts';
import { isAlias } from '../../../wire/proxmox/notation.ts';
import type { Properties } from './property-string.ts';

const builtIn = ['x86-64-v2', 'x86-64-v2-AES', 'x86-64-v3', 'x86-64-v4'];
const reported = vmFormats['pve-vm-cpu-conf']?.['reported-model'];
const models = new Set([...builtIn, ...(reported === undefined || isAlias(reported) ? [] : (reported.enum ?? []))]);

/** What no single key of a processor can tell. */
export function cpuComplaint({ cputype, 'reported-model': model }: Readonly<Properties>): string | undefined {
  if (cputype === undefined || cputype === '') return 'CPU is missing cputype';
  if (cputype.startsWith('custom-')) return `Custom cputype '${cputype.slice('custom-'.length)}' not found`;
  if (!models.has(cputype)) return `Built-in cputype '${cputype}' is not defined (missing 'custom-' prefix?)`;
  return model === undefined ? undefined : "Property 'reported-model' not allowed in VM-specific CPU config.";
}

import { Problem } from '../../../model/problem.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { numberOf, rowOf, textOf } from '../api/row.ts';
import { canImportDisks, pveVersion, tooOld } from '../version.ts';

/** More than this, and certificates and tokens begin to be too young or too old. */
const toleratedMs = 30_000;

/** Hosts of a cluster may run different versions, while one after the other is upgraded. */
export async function versionProblem(
  api: ProxmoxApi,
  host: string,
  imports: boolean,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const request = { path: path`/nodes/${host}/version`, doing: `tell the version of ${host}` };
  const text = textOf(rowOf(await api.get(request, signal)), 'version') ?? '';
  const version = pveVersion(text);
  if (version === undefined)
    return new Problem('proxmox-version', `${host} says that its version is “${text}”, which is none of Proxmox VE.`);
  return tooOld(version) ?? (imports && !canImportDisks(version) ? cannotImport(host, text) : undefined);
}

const cannotImport = (host: string, version: string): Problem =>
  new Problem(
    'proxmox-no-import',
    `${host} runs Proxmox VE ${version}, which cannot make a disk from an image file; that came with 8.4.`,
    {
      remedy: `Boot from the ISO and install, with cluster.talos.image.boot: iso, or upgrade the host:\n    ssh root@${host} pveversion`,
    },
  );

/** The clock of the host itself, whoever passes the question on. */
export async function clockProblem(api: ProxmoxApi, host: string, signal: AbortSignal): Promise<Problem | undefined> {
  const { clock } = api.tools;
  const asked = clock.now().getTime();
  const answer = await api.get(
    {
      path: path`/nodes/${host}/time`,
      doing: `tell the time of ${host}`,
      needs: { path: `/nodes/${host}`, privilege: 'Sys.Audit' },
    },
    signal,
  );
  const seconds = numberOf(rowOf(answer), 'time');
  if (seconds === undefined) return undefined;
  // Within this second, and while it was asked.
  const ahead = Math.max(0, seconds * 1000 - clock.now().getTime());
  const behind = Math.max(0, asked - (seconds + 1) * 1000);
  const skew = Math.max(ahead, behind);
  if (skew <= toleratedMs) return undefined;
  return new Problem(
    'proxmox-clock',
    `The clock of ${host} is ${Math.round(skew / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the one of this machine.`,
    {
      severity: 'warning',
      remedy: `Let both follow the same time servers, and compare:\n    date; ssh root@${host} 'date; chronyc tracking'`,
    },
  );
}

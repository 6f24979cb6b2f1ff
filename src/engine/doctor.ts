import { isError } from '../model/problem.ts';
import type { Finding, MachineReader } from '../providers/provider.ts';
import type { Platform } from '../spec/platform.ts';
import { sampleImage } from '../talos/image-requests.ts';

export type Diagnosis = {
  readonly findings: readonly Finding[];
  readonly fine: number;
  readonly warnings: number;
  readonly errors: number;
};

/** Everything that would stop this platform later, looked at now. */
export async function diagnose(platform: Platform, reader: MachineReader, signal: AbortSignal): Promise<Diagnosis> {
  const datastores = platform.machines.flatMap(({ shape }) => shape.disks.map(({ datastore }) => datastore));
  const findings = await reader.check({ images: [sampleImage(platform)], datastores }, signal);
  const problems = findings.flatMap(({ problem }) => problem ?? []);
  const errors = problems.filter(isError).length;
  return { findings, fine: findings.length - problems.length, warnings: problems.length - errors, errors };
}

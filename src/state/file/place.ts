import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';

/** Where a process runs, as far as process ids mean anything there. Empty: the system does not say. */
export type Place = {
  readonly host: string;
  /** Told apart from other machines of the same name. */
  readonly machine: string;
  readonly boot: string;
  /** Process ids of another namespace are other processes. */
  readonly namespace: string;
};

export async function thisPlace(): Promise<Place> {
  const text = (path: string): Promise<string> =>
    readFile(path, 'utf8').then(
      (read) => read.trim(),
      () => '',
    );
  const [machine, boot, namespace] = await Promise.all([
    text('/etc/machine-id'),
    text('/proc/sys/kernel/random/boot_id'),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  return { host: hostname(), machine, boot, namespace };
}

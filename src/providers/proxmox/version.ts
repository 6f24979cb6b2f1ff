import { Problem } from '../../model/problem.ts';

export type PveVersion = { readonly text: string; readonly major: number; readonly minor: number };

/** `9.2.11`, `8.4.1`, also `8.4-1`. */
export function pveVersion(text: string): PveVersion | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(text) ?? [];
  return major === undefined ? undefined : { text, major: Number(major), minor: Number(minor) };
}

const isAtLeast = (version: PveVersion, major: number, minor: number): boolean =>
  version.major > major || (version.major === major && version.minor >= minor);

/** Disk images can be imported since 8.4, an orderly shutdown overruled since 8.2, agents are read with a right of their own since 9. */
export const canImportDisks = (version: PveVersion): boolean => isAtLeast(version, 8, 4);
export const canOverruleShutdown = (version: PveVersion): boolean => isAtLeast(version, 8, 2);
export const hasAccessNetwork = (version: PveVersion): boolean => isAtLeast(version, 8, 2);
export const hasRules = (version: PveVersion): boolean => isAtLeast(version, 9, 0);

export const tooOld = (version: PveVersion): Problem | undefined =>
  isAtLeast(version, 8, 0)
    ? undefined
    : new Problem('proxmox-version', `Proxmox VE ${version.text} is older than ichor works with: 8.0 and later.`, {
        remedy: 'Upgrade the cluster, host by host:\n    pve7to8 --full',
      });

import { access, readFile } from 'node:fs/promises';
import { realCache } from './cache.ts';

/** What a real node is made of: `make real-peers` builds it, and writes down where it lies. */
export type Parts = {
  /** The program that takes the place of a container engine. */
  readonly nodebox: string;
  /** The root file system that all nodes share. */
  readonly root: string;
  /** The images of Kubernetes. */
  readonly images: string;
  /** The versions of what was built. */
  readonly talos: string;
  readonly kubernetes: string;
};

export const partsFile = (): string => realCache('node-parts.json');

/** Undefined: it is not built, or no longer there. */
export async function findParts(): Promise<Parts | undefined> {
  try {
    const parts = JSON.parse(await readFile(partsFile(), 'utf8')) as Parts;
    await Promise.all([parts.nodebox, parts.root, parts.images].map((path) => access(path)));
    return parts;
  } catch {
    return undefined;
  }
}

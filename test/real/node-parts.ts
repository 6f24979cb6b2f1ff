import { mkdir, rename, writeFile } from 'node:fs/promises';
import { realCache } from '../../src/lab/real/cache.ts';
import { type Parts, partsFile } from '../../src/lab/real/parts.ts';
import { peerProgram, talosVersion } from './peers.ts';
import { kubernetesImages, kubernetesVersion } from './talos-node/images.ts';
import { requireNodeTools } from './talos-node/requirements.ts';
import { rootFileSystem } from './talos-node/root-file-system.ts';

/** Builds what real nodes are made of, and writes down where it lies, for `ichor lab start --guests real`. */
export async function buildNodeParts(): Promise<Parts> {
  await requireNodeTools();
  const parts = {
    nodebox: await peerProgram('nodebox'),
    root: await rootFileSystem(),
    images: await kubernetesImages(),
    talos: talosVersion,
    kubernetes: kubernetesVersion,
  };
  await mkdir(realCache('.'), { recursive: true });
  const beside = `${partsFile()}.${process.pid}`;
  await writeFile(beside, `${JSON.stringify(parts, null, 2)}\n`);
  await rename(beside, partsFile());
  return parts;
}

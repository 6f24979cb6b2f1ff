import { open } from 'node:fs/promises';
import { type Lack, lackForNodes, lackOf, whereIs } from '../../../src/lab/real/requirements.ts';

/** Says what is missing, and how to get it, before anything is begun. */
export async function requireNodeTools(): Promise<void> {
  const lack = await lackForNodes('make test-real');
  if (lack !== undefined) throw failure(lack);
  await busyboxProgram();
}

/** busybox as one file without libraries: it goes into images that have none. */
export async function busyboxProgram(): Promise<string> {
  const path = await whereIs('busybox');
  if (path === undefined || (await wantsLibraries(path))) throw failure(lackOf(['busybox-static']));
  return path;
}

const failure = ({ message, remedy }: Lack): Error => new Error(`${message} ${remedy}`);

/** A program for the dynamic loader names the loader in its first page. */
async function wantsLibraries(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
  return buffer.subarray(0, bytesRead).includes('/ld-linux');
}

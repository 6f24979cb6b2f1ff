import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { createFileRegistry, fromBinary, type DescFile } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { beforeAll, expect, test } from 'vitest';
import { buildTimeoutMs, peerProgram } from './peers.ts';
import { outline, type Outline } from './wire/outline.ts';

const generated = new URL('../../src/wire/gen/', import.meta.url);

let ours: Outline;
let theirs: Outline;

beforeAll(async () => {
  ours = outline(await ourFiles());
  theirs = outline(await theirFiles());
}, buildTimeoutMs);

async function ourFiles(): Promise<readonly DescFile[]> {
  const names = (await readdir(generated, { recursive: true })).filter((name) => name.endsWith('_pb.ts'));
  const modules = await Promise.all(
    names.map((name) => import(new URL(name, generated).href) as Promise<Record<string, unknown>>),
  );
  return modules.flatMap((module) => Object.values(module).filter(isFile));
}

const isFile = (value: unknown): value is DescFile =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'file';

async function theirFiles(): Promise<Iterable<DescFile>> {
  const { stdout, stderr, status } = spawnSync(await peerProgram('wire'), { maxBuffer: 64 * 1024 * 1024 });
  if (status !== 0) throw new Error(`The judge could not print the descriptors: ${stderr.toString()}`);
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, stdout)).files;
}

/** Only what we hold: their whole for each name that is ours, so that a field we forgot shows as well. */
const sameNames = <T>(mine: ReadonlyMap<string, T>, all: ReadonlyMap<string, T>): Record<string, T | undefined> =>
  Object.fromEntries([...mine.keys()].toSorted().map((name) => [name, all.get(name)]));

const asRecord = <T>(map: ReadonlyMap<string, T>): Record<string, T> =>
  Object.fromEntries([...map].toSorted(([a], [b]) => (a < b ? -1 : 1)));

test('every message has the fields of the vendor’s: number, name, type, label, presence, oneof', () => {
  expect(asRecord(ours.messages)).toEqual(sameNames(ours.messages, theirs.messages));
  const fields = [...ours.messages.values()].flat().length;
  process.stderr.write(`wire: ${ours.messages.size} messages with ${fields} fields are alike\n`);
});

test('every enum has the values of the vendor’s', () => {
  expect(asRecord(ours.enums)).toEqual(sameNames(ours.enums, theirs.enums));
  const values = [...ours.enums.values()].flat().length;
  process.stderr.write(`wire: ${ours.enums.size} enums with ${values} values are alike\n`);
});

test('every method has the kind, request and response of the vendor’s', () => {
  expect(asRecord(ours.methods)).toEqual(sameNames(ours.methods, theirs.methods));
  process.stderr.write(`wire: ${ours.methods.size} methods are alike\n`);
});

/** Services of which we hold a part, and what we leave out of them on purpose. */
test('of the vendor’s services only these methods are not ours', () => {
  const services = new Set([...ours.methods.keys()].map((name) => name.split('/')[0]));
  const left = [...theirs.methods.keys()].filter((name) => services.has(name.split('/')[0]) && !ours.methods.has(name));
  expect(left.toSorted()).toEqual(['machine.MachineService/PacketCapture']);
});

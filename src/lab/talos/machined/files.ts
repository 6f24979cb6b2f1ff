import { create } from '@bufbuild/protobuf';
import { gzipSync } from 'node:zlib';
import { DataSchema } from '../../../wire/gen/talos/common_pb.ts';
import type { Data } from '../../../wire/gen/talos/common_pb.ts';
import {
  CopyRequestSchema,
  DiskUsageInfoSchema,
  DiskUsageRequestSchema,
  FileInfoSchema,
  ListRequestSchema,
  ReadRequestSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import type { DiskUsageInfo, DiskUsageRequest, FileInfo, ListRequest } from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { writeSnapshot } from '../etcd/snapshot.ts';
import { streaming } from './call.ts';
import type { Handler, LocalCall } from './call.ts';
import { chunks } from './logs.ts';
import { tarOf } from './tar.ts';

const directoryMode = 0x80_00_01_ed;
const fileMode = 0o644;

/** The few files that people and programs look at. */
function filesOf({ machine, boot }: LocalCall): ReadonlyMap<string, Uint8Array> {
  const text = (lines: readonly string[]): Uint8Array => Buffer.from(lines.map((line) => `${line}\n`).join(''));
  const files = new Map<string, Uint8Array>([
    ['/proc/sys/kernel/random/boot_id', text([boot.id])],
    ['/proc/cmdline', text([`talos.platform=${boot.image.platform}`])],
    [
      '/etc/os-release',
      text([
        'NAME="Talos"',
        'ID=talos',
        `VERSION_ID=${boot.version}`,
        `PRETTY_NAME="Talos (${boot.version})"`,
        'HOME_URL="https://www.talos.dev/"',
      ]),
    ],
    ['/etc/hosts', text(['127.0.0.1       localhost', `${machine.address}       ${boot.hostname ?? ''}`])],
    ['/etc/resolv.conf', text(['nameserver 127.0.0.53'])],
    ['/system/state/config.yaml', Buffer.from(machine.disk.config ?? '')],
    ['/system/etc/hostname', text([boot.hostname ?? ''])],
  ]);
  if (machine.disk.etcd !== undefined)
    files.set('/var/lib/etcd/member/snap/db', writeSnapshot(machine.disk.etcd.cluster).subarray(0, -32));
  if (machine.disk.snapshot !== undefined) files.set('/var/lib/etcd.snapshot', machine.disk.snapshot);
  return files;
}

/** Relative paths count from the root. */
const absolute = (path: string): string => `/${path.replace(/^\/+/, '').replace(/\/+$/, '')}`;

const isDirectory = (files: ReadonlyMap<string, Uint8Array>, path: string): boolean =>
  path === '/' || [...files.keys()].some((name) => name.startsWith(`${path}/`));

export const fileHandlers: Readonly<Record<string, Handler>> = {
  '/machine.MachineService/Read': streaming(ReadRequestSchema, DataSchema, async function* (given, { path: asked }) {
    const files = filesOf(given);
    const path = absolute(asked);
    const content = files.get(path);
    if (content === undefined)
      throw isDirectory(files, path)
        ? new GrpcStatus('UNKNOWN', 'path must be a regular file')
        : new GrpcStatus('NOT_FOUND', `stat ${path}: no such file or directory`);
    yield* chunks(content);
  }),

  '/machine.MachineService/Copy': streaming(
    CopyRequestSchema,
    DataSchema,
    async function* (given, { rootPath }): AsyncGenerator<Data> {
      const files = filesOf(given);
      const path = absolute(rootPath);
      const found = [...files].filter(([name]) => name === path || name.startsWith(`${path}/`));
      if (found.length === 0) {
        yield create(DataSchema, { metadata: { error: `lstat ${path}: no such file or directory` } });
        return;
      }
      const packed = gzipSync(
        tarOf(
          found.map(([name, content]) => ({
            name: name.slice(path.length + 1) || name.split('/').at(-1) || '',
            content,
            mode: fileMode,
          })),
          true,
        ),
      );
      yield* chunks(packed);
    },
  ),

  '/machine.MachineService/List': streaming(ListRequestSchema, FileInfoSchema, list),
  '/machine.MachineService/DiskUsage': streaming(DiskUsageRequestSchema, DiskUsageInfoSchema, usage),
};

async function* list(given: LocalCall, request: ListRequest): AsyncGenerator<FileInfo> {
  const files = filesOf(given);
  const root = request.root === '' ? '/' : absolute(request.root);
  const own = files.get(root);
  if (own === undefined && !isDirectory(files, root))
    throw new GrpcStatus('UNKNOWN', `lstat ${root}: no such file or directory`);
  const modified = BigInt(Math.floor(given.boot.started.getTime() / 1000));
  const info = (name: string, content: Uint8Array | undefined): FileInfo =>
    create(FileInfoSchema, {
      name,
      size: BigInt(content?.length ?? 40),
      mode: content === undefined ? directoryMode : fileMode,
      modified,
      isDir: content === undefined,
      relativeName: name === root ? '.' : name.slice(root === '/' ? 1 : root.length + 1),
    });
  yield info(root, own);
  if (own !== undefined) return;
  const depth = request.recurse ? (request.recursionDepth > 0 ? request.recursionDepth : 99) : 1;
  for (const path of below(files, root, depth)) yield info(path, files.get(path));
}

function below(files: ReadonlyMap<string, Uint8Array>, root: string, depth: number): readonly string[] {
  const prefix = root === '/' ? '/' : `${root}/`;
  const paths = new Set<string>();
  for (const name of files.keys()) {
    if (!name.startsWith(prefix)) continue;
    const parts = name.slice(prefix.length).split('/');
    for (let count = 1; count <= Math.min(parts.length, depth); count++)
      paths.add(prefix + parts.slice(0, count).join('/'));
  }
  return [...paths].toSorted();
}

async function* usage(given: LocalCall, { paths }: DiskUsageRequest): AsyncGenerator<DiskUsageInfo> {
  const files = filesOf(given);
  for (const asked of paths) {
    const root = absolute(asked);
    if (!files.has(root) && !isDirectory(files, root)) {
      yield create(DiskUsageInfoSchema, { name: root, error: `lstat ${root}: no such file or directory` });
      continue;
    }
    const size = [...files].reduce((sum, [name, content]) => (name.startsWith(root) ? sum + content.length : sum), 0);
    for (const path of below(files, root, 1))
      yield create(DiskUsageInfoSchema, {
        name: path,
        size: BigInt(files.get(path)?.length ?? 40),
        relativeName: path.slice(root.length + 1),
      });
    yield create(DiskUsageInfoSchema, { name: root, size: BigInt(size), relativeName: '.' });
  }
}

import { createHash } from 'node:crypto';
import type { Checksum, LocalFile } from '../../../model/file.ts';
import type { ProxmoxApi } from '../api/api.ts';
import { path } from '../api/form.ts';
import { multipartOf } from '../api/multipart.ts';
import { persist } from '../api/persist.ts';
import type { Tasks } from '../api/tasks.ts';
import { sizeOnHost, type Wanted } from '../read/images.ts';

export type Upload = {
  readonly host: string;
  readonly wanted: Wanted;
  readonly file: LocalFile;
  readonly checksum?: Checksum | undefined;
};

/** Sends a file to a datastore of a host. Who sends it twice sends the same, and it lies there once. */
export async function upload(api: ProxmoxApi, tasks: Tasks, what: Upload, signal: AbortSignal): Promise<void> {
  const { host, wanted, file, checksum } = what;
  const name = wanted.volume.slice(wanted.volume.indexOf('/') + 1);
  const request = {
    path: path`/nodes/${host}/storage/${wanted.store}/upload`,
    doing: `upload ${name} to ${wanted.store} of ${host}`,
    needs: { path: `/storage/${wanted.store}`, privilege: 'Datastore.AllocateTemplate' },
  };
  const fields = {
    content: wanted.content,
    ...(checksum === undefined ? {} : { 'checksum-algorithm': checksum.algorithm, checksum: checksum.hex }),
  };
  await persist(
    api,
    {
      act: async () => {
        const parts = multipartOf(boundaryFor(name), fields, { field: 'filename', name, content: file });
        await tasks.end(await api.upload(host, request, parts, signal), request, signal);
        return true;
      },
      look: async () => ((await sizeOnHost(api, host, wanted, signal)) === file.bytes ? true : undefined),
    },
    signal,
  );
}

/** Must not occur in the file; nobody but us knows it beforehand. */
const boundaryFor = (name: string): string =>
  `ichor-${createHash('sha256').update(`boundary ${name}`).digest('hex').slice(0, 32)}`;

import { answer, type Call, type Handler } from '../call.ts';
import { died } from '../refusal.ts';
import type { Worker } from '../tasks/task.ts';
import { contentsOf, rootOf, type StorageDefinition } from './definition.ts';
import { checkSum } from './download.ts';
import { incomingFile, type FileContent, type IncomingFile } from './file-name.ts';
import { storageKinds } from './kinds.ts';
import { inSectors } from './new-volume.ts';
import { probeImage } from './probe.ts';
import type { Upload } from '../call.ts';

export const upload: Handler = (call) => {
  const id = call.text('storage') ?? '';
  const { datacenter } = call;
  const definition = datacenter.storages.enabled(call.host, id);
  if (!storageKinds[definition.type].files) throw died(`can't upload to storage type '${definition.type}'`);
  if (call.upload === undefined) throw died('missing temporary file name');
  const content = call.text('content') as FileContent;
  const file = incomingFile(content, call.upload.fileName);
  if (!contentsOf(definition).includes(content)) throw died(`storage '${id}' does not support '${content}' content`);
  const { upload: came } = call;
  const upid = datacenter.startTask({
    host: call.host,
    who: call.who,
    type: 'imgcopy',
    id: '',
    work: async (worker) => work(call, definition, file, came, worker),
  });
  return answer(upid);
};

/** 32 signs that nobody can guess, from the lab’s own chance. */
const temporaryName = (random: () => number): string =>
  `/var/tmp/pveupload-${Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')}`;

function work(call: Call, definition: StorageDefinition, file: IncomingFile, came: Upload, { say }: Worker): void {
  const { datacenter, host } = call;
  const temporary = temporaryName(datacenter.random);
  const target = `${rootOf(definition)}/${file.folder}/${file.file}`;
  say(`starting file import from: ${temporary}`);
  const algorithm = call.text('checksum-algorithm');
  if (algorithm !== undefined) checkSum(came.digests[algorithm] ?? '', call.text('checksum') ?? '', say);
  const { bytes: size } = probeImage(came.head, came.bytes, file.format, temporary, say);
  say(`target node: ${host.name}`);
  say(`target file: ${target}`);
  say(`file size is: ${came.bytes}`);
  say(`command: cp -- ${temporary} ${target}`);
  const space = datacenter.storages.spaceOf(host, definition);
  const before = space.volumes.get(file.name);
  if (came.bytes > space.freeBytes + (before === undefined ? 0 : space.charge(before)))
    throw died(`import failed: cp: error writing '${target}': No space left on device`);
  datacenter.storages.put(
    host,
    definition,
    {
      name: file.name,
      bytes: inSectors(size),
      fileBytes: came.bytes,
      written: { head: came.head, fileName: file.file, state: new Map() },
    },
    came.digests,
  );
  say('finished file import successfully');
}

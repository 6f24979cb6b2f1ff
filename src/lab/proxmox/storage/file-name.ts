import { wrongParameters } from '../refusal.ts';
import { folders } from './volume-name.ts';

export type FileContent = 'iso' | 'vztmpl' | 'import';

/** A file that is about to come in: its name as the storage will have it. */
export type IncomingFile = {
  readonly content: FileContent;
  readonly file: string;
  /** `iso/x.iso` */
  readonly name: string;
  readonly folder: string;
  /** How its content is looked at. */
  readonly format: string;
};

/** Signs that may not be in a name become `_`, and folders go. */
const normalFileName = (given: string): string =>
  given
    .replace(/\n$/, '')
    .replace(/^.*[/\\]/s, '')
    .replaceAll(/[^a-zA-Z0-9_.-]/g, '_');

/** Refuses names whose ending does not go with the content. */
export function incomingFile(content: FileContent, given: string): IncomingFile {
  const file = normalFileName(given);
  return { content, file, name: `${content}/${file}`, folder: folders[content], format: formatOf(content, file) };
}

function formatOf(content: FileContent, file: string): string {
  const wrong = (words: string): never => {
    throw wrongParameters({ filename: words });
  };
  switch (content) {
    case 'iso':
      return /[^/]+\.(?:iso|img)$/i.test(file) ? 'iso' : wrong('wrong file extension');
    case 'vztmpl':
      return /[^/]+\.(?:tar|tar\.(?:gz|xz|zst|bz2))$/i.test(file) ? 'raw' : wrong('wrong file extension');
    case 'import':
      return (
        /^[a-zA-Z0-9\-.+=_]+\.(ova|qcow2|raw|vmdk)$/.exec(file)?.[1] ?? wrong('invalid filename or wrong extension')
      );
  }
}

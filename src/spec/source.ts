import { Problem } from '../model/problem.ts';

/** Text a person wrote, with the name they know it by. */
export type Source = { readonly name: string; readonly content: string | Uint8Array };

const maxCharacters = 1024 * 1024;

export function decode(source: Source): string {
  const text = typeof source.content === 'string' ? source.content : new TextDecoder('utf-8').decode(source.content);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** What no reader could make sense of, whatever the format. */
export function unreadable(source: Source, text: string, format: 'YAML' | 'HCL'): Problem | undefined {
  if (text.length > maxCharacters) {
    return new Problem('too-large', `The file is larger than ${maxCharacters / 1024 / 1024} MiB.`, {
      at: { file: source.name, line: 1, column: 1, length: 1 },
      remedy: 'Split it into several files and give each of them.',
    });
  }
  // eslint-disable-next-line no-control-regex -- control characters are what this looks for
  const strange = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd\ufffe\uffff]/);
  if (strange === -1) return undefined;
  const before = text.slice(0, strange).split('\n');
  return new Problem(
    'not-text',
    `This is not text: a byte here is not part of any UTF-8 character that ${format} allows.`,
    {
      at: { file: source.name, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, length: 1 },
      remedy: `Give a ${format === 'YAML' ? 'YAML or JSON' : format} file in UTF-8.`,
    },
  );
}

import { Problem, type Position } from '../model/problem.ts';

/** Text a person wrote, with the name they know it by. */
export type Source = { readonly name: string; readonly content: string | Uint8Array };

/** Between two characters of a text, the second not included. */
export type Placer = (start: number, end: number) => Position;

const maxCharacters = 1024 * 1024;

export function decode(source: Source): string {
  const text = typeof source.content === 'string' ? source.content : new TextDecoder('utf-8').decode(source.content);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** What no reader could make sense of, whatever the format. */
export function unreadable(source: Source, text: string, format: 'YAML' | 'HCL'): Problem | undefined {
  const at: Position = { file: source.name, line: 1, column: 1, length: 1 };
  if (isUtf16(source.content)) {
    const remedy = 'Save it as UTF-8. (PowerShell: … | Out-File -Encoding utf8)';
    return new Problem('not-text', 'This file is in UTF-16.', { at, remedy });
  }
  if (text.length > maxCharacters) {
    const message = `The file is larger than ${maxCharacters / 1024 / 1024} MiB.`;
    return new Problem('too-large', message, { at, remedy: 'Split it into several files and give each of them.' });
  }
  // eslint-disable-next-line no-control-regex -- control characters are what this looks for
  const strange = text.search(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd\ufffe\uffff]/);
  if (strange === -1) return undefined;
  const code = text.charCodeAt(strange);
  const place = placer(source.name, text)(strange, strange + 1);
  return code >= 0xfffd
    ? new Problem('not-text', 'A byte here is not part of any UTF-8 character.', {
        at: place,
        remedy: `Give a ${format === 'YAML' ? 'YAML or JSON' : format} file in UTF-8.`,
      })
    : new Problem('not-text', `There is a control character here (U+${code.toString(16).padStart(4, '0')}).`, {
        at: place,
        remedy: 'Remove it; in double quotes it can be written as an escape.',
      });
}

const isUtf16 = (content: string | Uint8Array): boolean =>
  typeof content !== 'string' &&
  ((content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff));

/** Finds line and column of what stands between two offsets; always a place inside the text or right behind it. */
export function placer(file: string, text: string): Placer {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (from, to) => {
    const start = Math.max(0, Math.min(from, text.length));
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= start) low = middle;
      else high = middle;
    }
    const lineStart = starts[low] ?? 0;
    const lineEnd = (starts[low + 1] ?? text.length + 1) - 1;
    return {
      file,
      line: low + 1,
      column: start - lineStart + 1,
      length: Math.max(1, Math.min(to, lineEnd) - start),
    };
  };
}

// oxlint-disable-next-line no-control-regex -- colours are made of control characters
export const plainLength = (text: string): number => text.replace(/\u001B\[[\d;]*m/g, '').length;

/** Lines of at most `width` characters, broken between words; a longer word keeps a line to itself. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && plainLength(last) + 1 + plainLength(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Names in lines of at most `width` characters, two blanks apart. */
export function wrappedWords(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + word.length + 2 > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line}  ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

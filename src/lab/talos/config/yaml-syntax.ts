import type { YAMLParseError } from 'yaml';

/** Go’s words for text that is no YAML, as far as the kind of fault tells them. */
export function syntaxWords(error: YAMLParseError, text: string): string {
  const line = text.slice(0, error.pos[0]).split('\n').length;
  const opened = openCollection(text.slice(0, error.pos[0]));
  if (opened === '[')
    return `while parsing a flow sequence at <unknown position>: line ${line}: did not find expected ',' or ']'`;
  if (opened === '{')
    return `while parsing a flow mapping at <unknown position>: line ${line}: did not find expected ',' or '}'`;
  const words = byCode[error.code];
  return words === undefined ? `line ${line}: did not find expected key` : `line ${line}: ${words}`;
}

const byCode: Readonly<Partial<Record<YAMLParseError['code'], string>>> = {
  BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  TAB_AS_INDENT: 'found character that cannot start any token',
  BAD_ALIAS: 'unknown anchor referenced',
};

function openCollection(text: string): string | undefined {
  const open: string[] = [];
  for (const char of text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|#.*/g, '')) {
    if (char === '[' || char === '{') open.push(char);
    else if (char === ']' || char === '}') open.pop();
  }
  return open.at(-1);
}

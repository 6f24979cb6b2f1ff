type Style = 'plain' | 'single' | 'double';

/** How Go’s library writes a string; a block of lines only where there is room for one. */
export function scalarStyle(text: string, room: boolean): Style | 'literal' {
  const facts = analyse(text);
  if (text.includes('\n') && room && facts.block) return 'literal';
  if (text.includes('\n') || !readsAsText(text)) return 'double';
  if (facts.plain) return 'plain';
  return facts.single ? 'single' : 'double';
}

export function quoted(text: string, style: Style): string {
  if (style === 'plain') return text;
  if (style === 'single') return `'${text.replaceAll("'", "''")}'`;
  return `"${Array.from(text, escaped).join('')}"`;
}

export const oldBooleans = /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/;
const constants =
  /^(?:~|null|Null|NULL|true|True|TRUE|false|False|FALSE|<<|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))?$/;
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const floats = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const integers = /^[-+]?(?:0b[01]+|0o[0-7]+|0x[0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)$/;
const timestamps =
  /^\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d+)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?)?$/;

/** Unquoted it would still be a string. */
function readsAsText(text: string): boolean {
  const digits = text.replaceAll('_', '');
  return ![
    oldBooleans.test(text),
    constants.test(text),
    base60.test(text),
    floats.test(text),
    timestamps.test(text),
    /^[-+0-9]/.test(text) && (integers.test(digits) || floats.test(digits)),
  ].includes(true);
}

type Facts = { readonly plain: boolean; readonly single: boolean; readonly block: boolean };

function analyse(text: string): Facts {
  // oxlint-disable-next-line no-control-regex
  const special = /[^\t\n\x20-\x7e\x85\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u.test(text);
  const indicators = /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[?:-](?:\s|$)|:(?:\s|$)|\s#/.test(text);
  const edges = /^[ \n]|[ \n]$/.test(text);
  const tabs = text.includes('\t');
  const spaceBreak = / \n/.test(text);
  const breakSpace = /\n /.test(text);
  const lines = text.includes('\n');
  return {
    plain: !(special || indicators || edges || tabs || spaceBreak || breakSpace || lines),
    single: !(special || tabs || spaceBreak || breakSpace),
    block: !(special || spaceBreak || text.endsWith(' ') || /^\n*$/.test(text)),
  };
}

const named: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escaped(char: string): string {
  const known = named[char];
  if (known !== undefined) return known;
  const code = char.codePointAt(0) ?? 0;
  const shown = code >= 0x20 && code !== 0x7f && !(code > 0x7f && code < 0xa0) && code !== 0xfeff;
  if (shown) return char;
  if (code <= 0xff) return `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
  return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

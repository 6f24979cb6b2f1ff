/**
 * Texts as Go’s YAML library writes them. A schematic’s id is a hash of such a text, so it has to be the same to the byte.
 */
export function goText(text: string, column: number): string {
  if (text.includes('\n')) return mayBeBlock(text) ? block(text, column) : doubleQuoted(text);
  if (isTakenForElse(text) || needsEscapes(text)) return doubleQuoted(text);
  return mayBePlain(text) && !isTakenForElseByOldReaders(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

const words = /^(?:|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|\.nan|\.NaN|\.NAN|[-+]?\.(?:inf|Inf|INF))$/;

const numbers = [
  /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/,
  /^[-+]?0[xX][\da-fA-F]{1,16}$/,
  /^[-+]?0[oO][0-7]{1,22}$/,
  /^[-+]?0[bB][01]{1,64}$/,
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]| +)\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?: *(?:Z|[-+]\d{2}:\d{2}))?)?$/,
];

/** A word, number or time to readers of YAML. */
function isTakenForElse(text: string): boolean {
  const digits = /^[-+\d]/.test(text) ? text.replaceAll('_', '') : text;
  return words.test(text) || numbers.some((form) => form.test(digits));
}

/** Merge keys, numbers sixty by sixty, and the many words for yes and no. */
const isTakenForElseByOldReaders = (text: string): boolean =>
  /^(?:<<|y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?)$/.test(text);

const printable = /^[\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]*$/;

const needsEscapes = (text: string): boolean => !printable.test(text) || /[\u2028\u2029]/.test(text);

const mayBePlain = (text: string): boolean =>
  !/^ | $|^---|^\.\.\.|^[#,[\]{}&*!|>'"%@`]|^[?:-](?: |$)|:(?: |$)| #/.test(text);

const mayBeBlock = (text: string): boolean =>
  /\S/.test(text) && !/ $| \n|[\u2028\u2029]/.test(text) && printable.test(text.replaceAll('\t', ''));

function block(text: string, column: number): string {
  const indicator = text.startsWith(' ') ? '4' : '';
  const lines = text.replace(/\n$/, '').replaceAll(/^(?=[^\n])/gm, ' '.repeat(column));
  return `|${indicator}${chomping(text)}\n${lines}`;
}

function chomping(text: string): string {
  if (!text.endsWith('\n')) return '-';
  return text === '\n' || text.endsWith('\n\n') ? '+' : '';
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

const doubleQuoted = (text: string): string =>
  `"${Array.from(text, (character) => escapes[character] ?? (printable.test(character) ? character : numbered(character))).join('')}"`;

function numbered(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

import type { ErrorCode } from 'yaml';

/** What the library found wrong, and between which characters. */
export type Slip = {
  readonly start: number;
  readonly end: number;
  readonly code: ErrorCode;
  /** The library's own words. They may repeat what the user wrote, a secret too, so they only choose the sentence below. */
  readonly hint: string;
};

export type Sentence = { readonly message: string; readonly remedy: string };

type Entry = readonly [hint: RegExp, message: string, remedy: string];

const inQuotes = 'Put the whole text in quotes.';
const lookAround = 'Check the quotes, brackets and indentation around here.';

const indentation: Entry = [
  /./,
  'The indentation does not fit the lines above.',
  'Begin all keys of one mapping, and all items of one list, in the same column.',
];
const tag: Entry = [
  /./,
  'A value that begins with ! has a tag, and ichor knows no such tag.',
  'Leave the tag out; text that begins with ! goes in quotes.',
];
const name: Entry = [
  /./,
  'The name behind & or * is missing, or ends in a colon.',
  'Text that begins with & or * goes in quotes.',
];

/** In the order of the entries, the first whose hint fits. */
const sentences: Readonly<Record<ErrorCode, readonly [Entry, ...Entry[]]>> = {
  ALIAS_PROPS: [[/./, 'An alias (*name) cannot have an anchor or a tag too.', 'Leave the anchor or the tag out.']],
  BAD_ALIAS: [name],
  BAD_COLLECTION_TYPE: [tag],
  BAD_DIRECTIVE: [
    [
      /./,
      'A line that begins with % is a directive, and YAML knows no such directive.',
      'Remove the line; text that begins with % goes in quotes.',
    ],
  ],
  BAD_DQ_ESCAPE: [
    [
      /./,
      'In double quotes a backslash begins an escape, and there is none like this.',
      'Write two backslashes, or use single quotes.',
    ],
  ],
  BAD_INDENT: [indentation],
  BAD_PROP_ORDER: [
    [/./, 'An anchor or a tag stands before the dash that it belongs behind.', 'Write "- &name value".'],
  ],
  BAD_SCALAR_START: [[/./, 'Text cannot begin with this character unless it is in quotes.', inQuotes]],
  BLOCK_AS_IMPLICIT_KEY: [
    [/block sequence/, indentation[1], indentation[2]],
    [
      /./,
      'Another key begins inside this value.',
      'Check the indentation of the next line; text with ": " in it goes in quotes.',
    ],
  ],
  BLOCK_IN_FLOW: [
    [
      /./,
      'Inside { } and [ ] values are separated by commas, not by lines.',
      'Write { a: 1, b: 2 }, or one key per line without the braces.',
    ],
  ],
  DUPLICATE_KEY: [[/./, 'This key is already given.', 'Keep one of the two.']],
  IMPOSSIBLE: [[/./, 'This is not YAML.', lookAround]],
  KEY_OVER_1024_CHARS: [
    [/./, 'This key is longer than 1024 characters.', 'Check for a missing quote or line break in front of it.'],
  ],
  MISSING_CHAR: [
    [/followed by map values/, 'This line has no colon: "key: value" is expected.', 'Add the colon and a value.'],
    [/space after :/, 'There is no space behind the colon.', 'Write "key: value".'],
    [/Missing , /, 'Two values stand here without a comma between them.', 'Add the comma.'],
    [/Comments must/, 'A comment begins with a space and #.', 'Put a space before #, or the text in quotes.'],
    [/anchors must be separated/, 'There is no space behind an anchor or a tag.', 'Add the space.'],
    [/directives-end/, 'A line that begins with % is a directive, and --- must follow it.', 'Add a line with ---.'],
    [/without - indicator/, 'This item of a list has no dash.', 'Begin it with "- ".'],
    [/same line with directives-end/, 'A document begins on the line after ---.', 'Begin a new line.'],
    [/./, 'Something is missing here.', lookAround],
  ],
  MULTILINE_IMPLICIT_KEY: [
    [/./, 'A key goes over more than one line.', 'Check for a missing colon, and the indentation of the next line.'],
  ],
  MULTIPLE_ANCHORS: [[/./, 'A value can have one anchor (&name) only.', 'Keep one of the two.']],
  MULTIPLE_DOCS: [[/./, 'There is more than one document.', 'Keep one.']],
  MULTIPLE_TAGS: [tag],
  NON_STRING_KEY: [[/./, 'A key must be plain text.', 'Write the key as text.']],
  RESOURCE_EXHAUSTION: [[/./, 'The nesting is too deep.', 'Flatten it.']],
  TAB_AS_INDENT: [[/./, 'A tab stands where only spaces can indent.', 'Indent with spaces.']],
  TAG_RESOLVE_FAILED: [tag],
  UNEXPECTED_TOKEN: [
    [/flow-(seq|map)-end/, 'This closes something that was never opened.', 'Remove it, or add the one that opens.'],
    [/same line with key/, 'A list cannot begin on the line of its key.', 'Begin the list on the next line.'],
    [/Block scalar header/, 'Text cannot begin on the line of | or >.', 'Begin the text on the next line.'],
    [/ , in |empty item/, 'There is a comma too many.', 'Remove it.'],
    [/at node end/, 'More follows after the value has ended.', inQuotes],
    [/./, 'This does not belong here.', lookAround],
  ],
};

/** The character that stands there, and its column, tell apart what has one hint. */
export function slipInWords({ code, hint }: Slip, character: string, column: number): Sentence {
  if (character === '-' && code === 'MULTILINE_IMPLICIT_KEY')
    return { message: 'An item of a list stands where a key is expected.', remedy: 'Indent it below its key.' };
  if (column === 1 && hint.endsWith('at node end'))
    return { message: 'This does not belong to what stands above.', remedy: indentation[2] };
  const [, message, remedy] = sentences[code].find(([fits]) => fits.test(hint)) ?? sentences.IMPOSSIBLE[0];
  return { message, remedy };
}

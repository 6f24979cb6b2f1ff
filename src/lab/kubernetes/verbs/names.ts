/** What is wrong with a name, in the API server’s words; nothing: it is right. */
export type Complaints = readonly string[];

const tooLong = (most: number, unit = 'bytes'): string => `must be no more than ${most} ${unit}`;
const regexError = (message: string, expression: string, ...examples: readonly string[]): string =>
  `${message} (e.g. ${examples.map((each) => `'${each}', `).join(' or ')}regex used for validation is '${expression}')`;

const bytes = (text: string): number => Buffer.byteLength(text);

const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const dns1123Subdomain = String.raw`${dns1123Label}(\.${dns1123Label})*`;
const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const qualifiedWords =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const labelValue = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?';

const matches = (expression: string, text: string): boolean => new RegExp(`^(?:${expression})$`).test(text);

export function subdomain(text: string, unit = 'characters'): Complaints {
  return [
    ...(bytes(text) > 253 ? [tooLong(253, unit)] : []),
    ...(matches(dns1123Subdomain, text)
      ? []
      : [
          regexError(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
            dns1123Subdomain,
            'example.com',
          ),
        ]),
  ];
}

export function dnsLabel(text: string): Complaints {
  const found = bytes(text) > 63 ? [tooLong(63, 'characters')] : [];
  if (matches(dns1123Label, text)) return found;
  if (matches(dns1123Subdomain, text)) return [...found, 'must not contain dots'];
  return [
    ...found,
    regexError(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      dns1123Label,
      'my-name',
      '123-abc',
    ),
  ];
}

/** `example.com/name`, as labels, annotations and finalizers are called. */
export function labelKey(text: string): Complaints {
  const parts = text.split('/');
  const found: string[] = [];
  let [name = ''] = parts;
  if (parts.length === 2) {
    const [prefix = ''] = parts;
    name = parts[1] ?? '';
    if (prefix === '') found.push('prefix part must be non-empty');
    else found.push(...subdomain(prefix, 'bytes').map((each) => `prefix part ${each}`));
  } else if (parts.length > 2) {
    return [
      `a valid label key ${regexError(qualifiedWords, qualifiedName, 'MyName', 'my.name', '123-abc')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  if (name === '') found.push('name part must be non-empty');
  else if (bytes(name) > 63) found.push(`name part ${tooLong(63)}`);
  if (!matches(qualifiedName, name))
    found.push(`name part ${regexError(qualifiedWords, qualifiedName, 'MyName', 'my.name', '123-abc')}`);
  return found;
}

export function labelValueComplaints(text: string): Complaints {
  return [
    ...(bytes(text) > 63 ? [tooLong(63)] : []),
    ...(matches(labelValue, text)
      ? []
      : [
          regexError(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
            labelValue,
            'MyValue',
            'my_value',
            '12345',
          ),
        ]),
  ];
}

/** What would lead elsewhere in a path. */
export function pathSegment(text: string): Complaints {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((sign) => text.includes(sign)).map((sign) => `may not contain '${sign}'`);
}

import { isOn, parseProperties, splitList } from './property-string.ts';

/** Tags as they are kept: by name and in small letters, unless `tag-style` of the data centre wants otherwise. */
export function uniqueTags(text: string, tagStyle: string | undefined): string {
  const style = parseProperties(tagStyle ?? '');
  const caseSensitive = isOn(style.get('case-sensitive'));
  const given = splitList(text);
  const ordered =
    style.get('ordering') === 'config'
      ? given
      : given.toSorted((one, other) =>
          compare(caseSensitive ? one : one.toLowerCase(), caseSensitive ? other : other.toLowerCase()),
        );
  return [...new Set(ordered.map((tag) => (caseSensitive ? tag : tag.toLowerCase())))].join(';');
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Texts as Perl reads them, where that differs from how JavaScript does. */
export const isInteger = (value: string): boolean => /^[+-]?\d+\n?$/.test(value);

export const isNumber = (value: string): boolean => /^[+-]?(\d+\.\d+|\d+\.|\.\d+|\d+)([eE][+-]?\d+)?\n?$/.test(value);

const anchored = new WeakMap<RegExp, RegExp>();

/** Whether a pattern of the description holds for a value: both ends are tied, without parentheses around it. */
export function holds(pattern: RegExp, value: string): boolean {
  let tied = anchored.get(pattern);
  if (tied === undefined) {
    tied = new RegExp(`^${pattern.source}\\n?$`, 's');
    anchored.set(pattern, tied);
  }
  return tied.test(value);
}

/** Elements of a list end at commas, semicolons, blanks and zeros. */
export const splitList = (value: string): readonly string[] => value.split(/[,;\s\0]+/).filter((each) => each !== '');

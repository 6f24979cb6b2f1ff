import { Problem } from '../../model/problem.ts';
import { decode, unreadable, type Source } from '../source.ts';
import type { Entry, MapTree, Tree } from '../tree.ts';
import { Cursor } from './hcl-cursor.ts';
import { computed, identifier, number, refuseOperator, scalar } from './hcl-scalar.ts';
import { quotedText } from './hcl-string.ts';

export type ParsedHcl = { readonly tree: MapTree | undefined; readonly problems: readonly Problem[] };

const maxDepth = 64;

/** Reads a file of variables (.tfvars): the literal part of HCL. Whatever would have to be computed is refused. */
export function parseHcl(source: Source): ParsedHcl {
  const text = decode(source);
  const refused = unreadable(source, text, 'HCL');
  if (refused) return { tree: undefined, problems: [refused] };
  const reader = new HclReader(new Cursor(source.name, text));
  try {
    return { tree: reader.file(), problems: reader.warnings };
  } catch (problem) {
    if (problem instanceof Problem) return { tree: undefined, problems: [...reader.warnings, problem] };
    throw problem;
  }
}

type Key = { readonly name: string; readonly start: number; readonly end: number };

class HclReader {
  readonly #cursor: Cursor;
  readonly warnings: Problem[] = [];

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  file(): MapTree {
    const cursor = this.#cursor;
    const entries = new Map<string, Entry>();
    for (cursor.skip({ newlines: true }); !cursor.atEnd; cursor.skip({ newlines: true })) {
      const key = this.#variableName();
      const before = entries.get(key.name);
      if (before)
        throw cursor.problem(key.start, key.end, {
          message: `The variable "${key.name}" is already set on line ${before.keyAt.line}.`,
          remedy: 'Keep one of the two.',
          code: 'duplicate-key',
        });
      const value = this.#value(1, false);
      this.#endOfLine();
      entries.set(key.name, { keyAt: cursor.at(key.start, key.end), value });
    }
    return { kind: 'map', at: cursor.at(0, cursor.text.length), entries };
  }

  #variableName(): Key {
    const cursor = this.#cursor;
    const start = cursor.offset;
    const name = cursor.take(identifier)?.[0];
    if (name === undefined)
      throw cursor.sees('"')
        ? this.#wrong('The name of a variable is written without quotes.', 'Take the quotes away.')
        : this.#wrong('Expected the name of a variable.', 'Write for example: cluster_name = "prod"');
    const end = cursor.offset;
    cursor.skip({ newlines: false });
    if (cursor.sees('=') && !cursor.sees('==')) {
      cursor.takeText('=');
      cursor.skip({ newlines: false });
      return { name, start, end };
    }
    const block = cursor.sees('{') || cursor.sees('"') || cursor.take(identifier) !== undefined;
    throw cursor.problem(start, end, {
      message: block ? 'A block does not belong into a file of variables.' : 'Expected = after the name of a variable.',
      remedy: 'Write for example: cluster_name = "prod"',
    });
  }

  #endOfLine(): void {
    const cursor = this.#cursor;
    cursor.skip({ newlines: false });
    if (cursor.atEnd || cursor.seesNewline) return;
    refuseOperator(cursor);
    throw cursor.sees(',')
      ? this.#wrong('Variables are separated by line breaks, not by commas.', 'Take the comma away.')
      : this.#wrong('Expected the end of the line after a value.', 'Begin the next variable on a line of its own.');
  }

  #value(depth: number, newlines: boolean): Tree {
    const cursor = this.#cursor;
    const start = cursor.offset;
    if (depth > maxDepth)
      throw cursor.problem(start, start + 1, {
        message: `The nesting is deeper than ${maxDepth} levels.`,
        remedy: 'Flatten it.',
        code: 'too-deep',
      });
    if (cursor.sees('[')) return this.#list(depth);
    if (cursor.sees('{')) return this.#object(depth);
    const value = scalar(cursor, newlines);
    return { kind: 'scalar', value, at: cursor.at(start, cursor.offset) };
  }

  #list(depth: number): Tree {
    const cursor = this.#cursor;
    const start = cursor.offset;
    cursor.takeText('[');
    const items: Tree[] = [];
    for (;;) {
      cursor.skip({ newlines: true });
      if (cursor.takeText(']')) break;
      this.#refuseFor(items.length);
      this.#refuseEnd(start, 'list', ']');
      items.push(this.#value(depth + 1, true));
      cursor.skip({ newlines: true });
      if (cursor.takeText(']')) break;
      if (cursor.takeText(',')) continue;
      this.#refuseEnd(start, 'list', ']');
      refuseOperator(cursor);
      throw this.#wrong('Expected a comma, or the end of the list.', 'Put a comma between the values.');
    }
    return { kind: 'list', items, at: cursor.at(start, cursor.offset) };
  }

  #object(depth: number): Tree {
    const cursor = this.#cursor;
    const start = cursor.offset;
    cursor.takeText('{');
    const entries = new Map<string, Entry>();
    for (;;) {
      cursor.skip({ newlines: true });
      if (cursor.takeText('}')) break;
      this.#refuseFor(entries.size);
      this.#refuseEnd(start, 'object', '}');
      const key = this.#objectKey();
      const value = this.#value(depth + 1, false);
      this.#remember(entries, key, value);
      cursor.skip({ newlines: false });
      if (cursor.takeText('}')) break;
      if (cursor.takeText(',') || cursor.seesNewline) continue;
      this.#refuseEnd(start, 'object', '}');
      refuseOperator(cursor);
      throw this.#wrong('Expected a comma, a line break, or the end of the object.', 'Begin a new line.');
    }
    return { kind: 'map', entries, at: cursor.at(start, cursor.offset) };
  }

  /** HCL lets a later key of an object stand over an earlier one. */
  #remember(entries: Map<string, Entry>, { name, start, end }: Key, value: Tree): void {
    const cursor = this.#cursor;
    const keyAt = cursor.at(start, end);
    const before = entries.get(name);
    if (before)
      this.warnings.push(
        new Problem(
          'duplicate-key',
          `The key "${name}" is already given on line ${before.keyAt.line}: this one counts.`,
          {
            severity: 'warning',
            at: keyAt,
            remedy: 'Keep one of the two.',
          },
        ),
      );
    entries.set(name, { keyAt, value });
  }

  #objectKey(): Key {
    const cursor = this.#cursor;
    const start = cursor.offset;
    if (/[-(<]/.test(cursor.text.charAt(start)))
      throw computed(cursor, start, {
        message: 'This key would have to be computed.',
        remedy: 'Write the key itself.',
      });
    const name = cursor.sees('"')
      ? quotedText(cursor)
      : (cursor.take(identifier)?.[0].normalize('NFC') ?? this.#numberAsKey());
    const end = cursor.offset;
    cursor.skip({ newlines: false });
    if (
      (cursor.sees('=') && !/[=>]/.test(cursor.text.charAt(cursor.offset + 1))) ||
      (cursor.sees(':') && !cursor.sees('::'))
    ) {
      cursor.offset++;
      cursor.skip({ newlines: false });
      return { name, start, end };
    }
    if (!cursor.sees('.')) refuseOperator(cursor);
    throw cursor.problem(start, end, {
      message: 'Expected = or : after a key.',
      remedy: 'Write "key = value"; a key with dots or spaces stands in quotes.',
    });
  }

  #numberAsKey(): string {
    const cursor = this.#cursor;
    const start = cursor.offset;
    if (!/\d/.test(cursor.text.charAt(start)))
      throw this.#wrong('Expected a key.', 'Write a name, or text in double quotes, and = behind it.');
    const key = number(cursor);
    if (Number.isSafeInteger(key)) return String(key);
    throw computed(cursor, start, { message: 'This number is no key.', remedy: 'Put it in quotes.' });
  }

  #refuseFor(before: number): void {
    const cursor = this.#cursor;
    const start = cursor.offset;
    if (before > 0 || !cursor.take(/for(?![\p{ID_Continue}-])/uy)) return;
    throw computed(cursor, start, {
      message: 'A for expression would have to be computed.',
      remedy: 'Write its values one by one; a key called for stands in quotes.',
    });
  }

  #refuseEnd(start: number, what: string, closing: string): void {
    if (!this.#cursor.atEnd) return;
    throw this.#cursor.problem(start, start + 1, {
      message: `This ${what} has no end.`,
      remedy: `Close it with "${closing}".`,
    });
  }

  #wrong(message: string, remedy: string): Problem {
    const { offset } = this.#cursor;
    return this.#cursor.problem(offset, offset + 1, { message: message, remedy: remedy });
  }
}

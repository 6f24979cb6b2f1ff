import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Node, type YAMLMap } from 'yaml';
import { Problem, type Position } from '../../../model/problem.ts';

/** One kubeconfig while it is read. Nothing of what is written in it stands in a problem, only where it is. */
export class KubeconfigText {
  readonly file: string;
  readonly #lines = new LineCounter();
  readonly #text: string;

  constructor(file: string, text: string) {
    this.file = file;
    this.#text = text;
  }

  /** Undefined for an empty file, as kubectl takes it. */
  root(): YAMLMap | undefined {
    const document = parseDocument(this.#text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      uniqueKeys: false,
      // What kubectl reads it as.
      version: '1.1',
      merge: true,
    });
    const [error] = document.errors;
    if (error !== undefined) {
      const why = error.code.toLowerCase().replaceAll('_', ' ');
      throw this.#problem(`This is not YAML: ${why}.`, error.pos[0], 1);
    }
    const { contents } = document;
    if (contents === null || (isScalar(contents) && contents.value === null)) return undefined;
    if (!isMap(contents)) throw this.wrong('This is no kubeconfig.', contents);
    return contents;
  }

  map(parent: YAMLMap | undefined, key: string): YAMLMap | undefined {
    const node = valueOf(parent, key);
    if (node === undefined) return undefined;
    if (!isMap(node)) throw this.wrong(`"${key}" has to hold fields.`, node);
    return node;
  }

  text(parent: YAMLMap | undefined, key: string): string | undefined {
    const node = valueOf(parent, key);
    if (node === undefined) return undefined;
    const text = textOf(node);
    if (text === undefined) throw this.wrong(`"${key}" has to be text; put it into quotes.`, node);
    return text === '' ? undefined : text;
  }

  flag(parent: YAMLMap | undefined, key: string): boolean {
    const node = valueOf(parent, key);
    if (node === undefined) return false;
    if (!isScalar(node) || typeof node.value !== 'boolean') throw this.wrong(`"${key}" has to be true or false.`, node);
    return node.value;
  }

  texts(parent: YAMLMap | undefined, key: string): readonly string[] {
    return this.items(parent, key).map((node) => {
      const text = textOf(node);
      if (text !== undefined) return text;
      throw this.wrong(`Every item of "${key}" has to be text; put it into quotes.`, node);
    });
  }

  maps(parent: YAMLMap | undefined, key: string): readonly YAMLMap[] {
    return this.items(parent, key).map((node) => {
      if (isMap(node)) return node;
      throw this.wrong(`Every item of "${key}" has to hold fields.`, node);
    });
  }

  items(parent: YAMLMap | undefined, key: string): readonly Node[] {
    const node = valueOf(parent, key);
    if (node === undefined) return [];
    if (!isSeq(node)) throw this.wrong(`"${key}" has to be a list.`, node);
    return node.items.filter(isNode);
  }

  /** Text that is written in base64. */
  data(parent: YAMLMap | undefined, key: string): string | undefined {
    const written = this.text(parent, key)?.replaceAll(/[\r\n]/g, '');
    if (written === undefined) return undefined;
    if (written.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(written)) {
      throw this.wrong(`"${key}" is not base64.`, valueOf(parent, key));
    }
    return Buffer.from(written, 'base64').toString('utf8');
  }

  at(node: Node | undefined): Position {
    const [from, end] = node?.range ?? [0, 1];
    return this.#position(from, end - from);
  }

  wrong(
    message: string,
    node: Node | undefined,
    remedy = 'Compare with what kubectl writes:\n    kubectl config view',
  ): Problem {
    return new Problem('kubeconfig-wrong', message, { at: this.at(node), remedy });
  }

  #problem(message: string, offset: number, length: number): Problem {
    return new Problem('kubeconfig-wrong', message, {
      at: this.#position(offset, length),
      remedy: `Correct the file, or name another one:\n    kubectl config view --kubeconfig ${this.file}`,
    });
  }

  #position(offset: number, length: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    const rest = this.#text.slice(offset).search(/\r?\n|$/);
    return { file: this.file, line, column: col, length: Math.max(1, Math.min(length, rest)) };
  }
}

function valueOf(parent: YAMLMap | undefined, key: string): Node | undefined {
  const node: unknown = parent?.get(key, true);
  return !isNode(node) || (isScalar(node) && node.value === null) ? undefined : node;
}

/** Dates and times are text to kubectl, though YAML 1.1 knows them. */
function textOf(node: Node): string | undefined {
  if (!isScalar(node)) return undefined;
  if (typeof node.value === 'string') return node.value;
  const isTime = node.value instanceof Date || (typeof node.value === 'number' && node.source?.includes(':') === true);
  return isTime ? node.source : undefined;
}

import type { Scalar } from '../tree.ts';
import type { Part } from './foreign.ts';
import { secretsOnly, type Reason } from './prune.ts';

/** talhelper replaces $VAR and ${VAR} in the whole file, and renders Go templates in some values. */
const environment = /\$\{?([A-Za-z_][A-Za-z0-9_]*)/;

/** What of a talconfig.yaml cannot be carried over as it stands. */
export function unfinished(key: string, value: Scalar): Reason | undefined {
  const text = typeof value === 'string' ? value : '';
  if (environment.test(text)) return 'environment';
  return text.includes('{{') ? 'template' : secretsOnly(key, value);
}

/** A text that is final; one that talhelper would still fill in is noted. */
export function plainText(part: Part | undefined): string | undefined {
  const text = part?.text();
  if (part === undefined || text === undefined) return undefined;
  const variable = environment.exec(text)?.[1];
  if (variable !== undefined)
    part.note(`Not carried over: talhelper fills in the environment variable ${variable} here.`);
  else if (text.includes('{{')) part.note('Not carried over: talhelper renders a template here.');
  else return text;
  return undefined;
}

export const plainTexts = (list: Part | undefined): readonly string[] =>
  (list?.tree.kind === 'list' ? list.parts() : list ? [list] : []).flatMap((item) => plainText(item) ?? []);

/** A mapping of names to texts. */
export const plainEntries = (mapping: Part | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (mapping?.parts() ?? []).flatMap((entry) => {
      const text = plainText(entry);
      return text === undefined ? [] : [[entry.key, text] as const];
    }),
  );

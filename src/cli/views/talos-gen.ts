import type { Generated, GeneratedFile } from '../../engine/talos-gen.ts';
import type { Terminal } from '../terminal.ts';
import { changeLines } from './talos-changes.ts';

type View = { readonly folder: string; readonly dryRun: boolean };

const marks = { new: '+', changed: '~', same: ' ' } as const;

/** What was written, or would be; never what is in it. */
export function generatedText({ files, left, expires, endpoints }: Generated, view: View, { paint }: Terminal): string {
  const changed = files.filter(({ change }) => change !== 'same');
  const lines = changed.flatMap((file) => [
    `${paint(file.change === 'new' ? 'green' : 'yellow', marks[file.change])} ${view.folder}/${file.path}${file.because === undefined ? '' : `  ${paint('dim', file.because)}`}`,
    ...changesOf(file).map((change) => `    ${change}`),
  ]);
  const notes = [
    ...left.map(
      (path) => `${view.folder}/${path} is of a machine that the file no longer has; delete it when that is so.`,
    ),
    ...(endpoints.length === 0
      ? ['No control plane has a fixed address: the talosconfig names no endpoint, so name nodes with -n.']
      : []),
  ];
  const end = expires === undefined ? '' : ` The talosconfig is good until ${expires.toISOString().slice(0, 10)}.`;
  return [...lines, ...notes, `${summary(changed, view)}${end}`, ''].join('\n');
}

function summary(changed: readonly GeneratedFile[], { dryRun }: View): string {
  if (changed.length === 0) return 'Nothing to change.';
  const count = `${changed.length} ${changed.length === 1 ? 'file' : 'files'}`;
  return dryRun ? `${count} would be written; nothing was.` : `${count} written.`;
}

/** Path by path, with what is secret masked. */
const changesOf = ({ changes }: GeneratedFile): readonly string[] => changeLines(changes ?? []);

export const generatedJson = ({ files, left, expires, endpoints }: Generated, { folder, dryRun }: View): string =>
  `${JSON.stringify(
    {
      folder,
      dryRun,
      files: files.map(({ path, change, because, changes }) => ({
        path,
        change,
        ...(because === undefined ? {} : { because }),
        ...(changes === undefined ? {} : { changes }),
      })),
      left,
      endpoints,
      talosconfigExpires: expires?.toISOString() ?? null,
    },
    null,
    2,
  )}\n`;

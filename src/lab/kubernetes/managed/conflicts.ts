import { applyConflict, quote, type Refusal } from '../refusal.ts';
import type { Element } from './element.ts';
import { printedPath } from './field-set.ts';
import type { Manager } from './managers.ts';

/** A field that somebody else owns and says otherwise. */
export type Conflict = { readonly id: string; readonly owner: Manager; readonly path: readonly Element[] };

export function conflictRefusal(conflicts: readonly Conflict[]): Refusal {
  return applyConflict(
    messageOf(conflicts),
    conflicts.map(({ owner, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${named(owner)}`,
      field: printedPath(path),
    })),
  );
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [only, another] = conflicts;
  if (only !== undefined && another === undefined) {
    return `Apply failed with 1 conflict: conflict with ${named(only.owner)}: ${printedPath(only.path)}`;
  }
  const ids = [...new Set(conflicts.map(({ id }) => id))].sort();
  const lines = ids.flatMap((id) => {
    const of = conflicts.filter((conflict) => conflict.id === id);
    return [
      ...of.slice(0, 1).map(({ owner }) => `conflicts with ${named(owner)}:`),
      ...of.map(({ path }) => `- ${printedPath(path)}`),
    ];
  });
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function named({ manager, operation, apiVersion, subresource }: Manager): string {
  const who = subresource === '' ? quote(manager) : `${quote(manager)} with subresource ${quote(subresource)}`;
  return operation === 'Update' ? `${who} using ${apiVersion}` : who;
}

import { formatPath, type Path } from '../../spec/tree.ts';
import { isSecretName, masked, redactConfig } from '../redact.ts';
import { changedValues } from './changes.ts';
import type { MachineConfig, Value } from './document.ts';
import { rebootsFor } from './reboot.ts';

/** A change as it can be shown to anybody. */
export type ShownChange = {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Undefined when there was nothing. Secrets are masked. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly reboot: boolean;
};

/** What changes, field by field, without a secret in it. */
export function configDiff(before: MachineConfig, after: MachineConfig): readonly ShownChange[] {
  return changedValues(before, after).map((change): ShownChange => {
    const { path } = change;
    const [old, now] = [shownAt(path, change.before), shownAt(path, change.after)];
    const kind = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    return { path: formatPath(path), kind, before: old, after: now, reboot: rebootsFor(path) };
  });
}

/** Texts of many lines are cut: a diff is for people. */
const longest = 200;

function shownAt(path: Path, value: Value | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (path.some((step) => typeof step === 'string' && isSecretName(step)) && value !== '') return masked;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = redactConfig(text);
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

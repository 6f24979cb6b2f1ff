import type { GrpcCodeName } from '../../grpc/status.ts';
import type { Boot } from './boot.ts';
import type { Machine } from './machine.ts';
import { settingsOf } from './settings.ts';

export type ConfigVerdict =
  | { readonly kind: 'accepted'; readonly warnings: readonly string[]; readonly complete: boolean }
  | { readonly kind: 'refused'; readonly message: string; readonly code?: GrpcCodeName };

/** What this node thinks of a configuration. */
export function judgeConfig(_machine: Machine, _boot: Boot, text: string): ConfigVerdict {
  if (text.trim() === '') return { kind: 'refused', message: 'config not found' };
  return { kind: 'accepted', warnings: [], complete: settingsOf(text) !== undefined };
}

export const configDiff = (old: string, text: string): string => (old === text ? '' : '--- a\n+++ b\n');

export const needOfReboot = (_old: string, _text: string): { readonly needed: boolean; readonly why: string } => ({
  needed: false,
  why: '',
});

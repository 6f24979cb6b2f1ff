import { createHash } from 'node:crypto';
import type { Role } from '../../../../model/machine.ts';
import type { Caller } from './table.ts';

/** Security groups have names of 18 signs at most; a short hash stands for the platform there. */
const short = (platform: string): string => createHash('sha256').update(platform).digest('hex').slice(0, 8);

const roleEnds: Readonly<Record<Role, string>> = { 'control-plane': 'cp', worker: 'wk' };
const setEnds: Readonly<Record<Exclude<Caller, 'everybody'>, string>> = {
  management: 'management',
  ours: 'machines',
  'control planes': 'control-planes',
};

export const groupName = (platform: string, role: Role): string => `ichor-${short(platform)}-${roleEnds[role]}`;
export const setName = (platform: string, caller: Exclude<Caller, 'everybody'>): string =>
  `ichor-${short(platform)}-${setEnds[caller]}`;
export const roles: readonly Role[] = ['control-plane', 'worker'];
export const sets = ['management', 'ours', 'control planes'] as const;

import { matching } from './format.ts';
import type { Formats } from './format.ts';

const userName = '[^\\s:/]+';
const realmName = '[A-Za-z][A-Za-z0-9\\.\\-_]+';
const tokenName = '[A-Za-z][A-Za-z0-9\\.\\-_]+';

export const accessFormats = (privileges: ReadonlySet<string>): Formats => ({
  'pve-userid': (value) => {
    if (value.length < 3) return `user name '${value}' is too short`;
    if (value.length > 64) return `user name '${value}' is too long (${value.length} > 64)`;
    return new RegExp(`^${userName}@${realmName}$`).test(value)
      ? undefined
      : `value '${value}' does not look like a valid user name`;
  },
  'pve-tokenid': matching(
    new RegExp(`${userName}@${realmName}!${tokenName}`),
    (value) => `value '${value}' does not look like a valid token ID`,
  ),
  'pve-realm': matching(new RegExp(realmName), 'value does not look like a valid realm'),
  'pve-groupid': matching(/[A-Za-z0-9.\-_]+/, (value) => `group name '${value}' contains invalid characters`),
  'pve-roleid': matching(/[A-Za-z0-9.\-_]+/, (value) => `role name '${value}' contains invalid characters`),
  'pve-poolid': (value) => {
    if (value.replace(/\/+$/, '').split('/').length > 3)
      return `pool name '${value}' nested too deeply (max levels = 3)`;
    return /^[A-Za-z0-9.\-_]+(?:\/[A-Za-z0-9.\-_]+){0,2}$/.test(value)
      ? undefined
      : `pool name '${value}' contains invalid characters`;
  },
  'pve-priv': (value) => (privileges.has(value) ? undefined : `invalid privilege '${value}'`),
});

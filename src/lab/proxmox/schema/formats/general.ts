import { parseSize } from '../sizes.ts';
import { matching } from './format.ts';
import type { Formats } from './format.ts';

export const generalFormats: Formats = {
  string: () => undefined,
  urlencoded: matching(/[-%a-zA-Z0-9_.!~*'()]*/, (value) => `invalid urlencoded string: ${value}`),
  'pve-configid': matching(/[a-zA-Z][a-zA-Z0-9_-]+/, (value) => `invalid configuration ID '${value}'`),
  'pve-vmid': matching(/[1-9][0-9]{2,8}/, 'value does not look like a valid VM ID'),
  'pve-node': matching(/([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)/, 'value does not look like a valid node name'),
  'disk-size': (value) =>
    parseSize(value) === undefined ? `value does not look like a valid disk size: ${value}` : undefined,
  'pve-tag': matching(/[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*/, 'invalid characters in tag'),
  'pve-startup-order': (value) =>
    value !== '' &&
    value !== '0' &&
    value.split(',').every((part) => /^\s*$/.test(part) || /^((order=)?\d+|up=\d+|down=\d+)$/.test(part))
      ? undefined
      : 'unable to parse startup options',
  'pve-task-status-type': matching(
    /(ok|error|warning|unknown|OK|ERROR|WARNING|UNKNOWN)/,
    (value) => `invalid status '${value}'`,
  ),
  'ldap-simple-attr': matching(
    /[a-zA-Z0-9]+/,
    (value) => `value '${value}' does not look like a simple ldap attribute name`,
  ),
  email: matching(
    /[\w+\-~]+(\.[\w+\-~]+)*@[a-zA-Z0-9-]+(\.[a-zA-Z0-9-]+)*/,
    'value does not look like a valid email address',
  ),
  'pve-ha-resource-id': matching(/[a-z]+:\S+/, 'value does not look like a valid ha resource id'),
  'pve-ha-resource-or-vm-id': matching(/([a-z]+:\S+|\d+)/, 'value does not look like a valid ha resource id'),
  'pve-ha-node': matching(
    /([a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)(:\d+)?/,
    'value does not look like a valid ha node',
  ),
};

import { flag, integer, needed, number, oneOf, text } from './notation.ts';
import type { Parts } from './notation.ts';
import { notNegative } from './values.ts';
import { vmFormats } from './vm-formats.ts';

/** Property strings that go by a name. */
export const propertyFormats: Readonly<Record<string, Parts>> = {
  ...vmFormats,
  'prune-backups': {
    'keep-all': flag(),
    'keep-daily': notNegative,
    'keep-hourly': notNegative,
    'keep-last': notNegative,
    'keep-monthly': notNegative,
    'keep-weekly': notNegative,
    'keep-yearly': notNegative,
  },
  'pve-node-location': {
    latitude: needed(number({ minimum: -90, maximum: 90 })),
    longitude: needed(number({ minimum: -180, maximum: 180 })),
    name: text({ maxLength: 128 }),
  },
  'pve-tfa-config': {
    digits: integer({ minimum: 6, maximum: 8 }),
    id: text(),
    key: text(),
    step: integer({ minimum: 10 }),
    type: needed(oneOf(['yubico', 'oath'])),
    url: text(),
  },
  'realm-sync-options': {
    'enable-new': flag(),
    full: flag(),
    purge: flag(),
    'remove-vanished': text({ pattern: /(?:(?:(?:acl|properties|entry);)*(?:acl|properties|entry))|none/ }),
    scope: oneOf(['users', 'groups', 'both']),
  },
};

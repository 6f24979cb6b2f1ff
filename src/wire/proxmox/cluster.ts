import { at, first, flag, integer, needed, number, oneOf, parts, text, words } from './notation.ts';
import type { Api } from './notation.ts';
import { keyboard, keys, vmid, bandwidths } from './values.ts';

/** The cluster as a whole. */
export const cluster: Api = {
  'GET /cluster/config/nodes': { permission: at('/', 'Sys.Audit') },
  'GET /cluster/nextid': { permission: 'all', params: { vmid } },
  'GET /cluster/options': { permission: 'all' },
  'PUT /cluster/options': {
    permission: at('/', 'Sys.Modify'),
    params: {
      bwlimit: bandwidths,
      'consent-text': text({ maxLength: 65_536 }),
      console: oneOf(['applet', 'vv', 'html5', 'xtermjs']),
      crs: parts({
        ha: oneOf(['basic', 'static', 'dynamic']),
        'ha-auto-rebalance': flag(),
        'ha-auto-rebalance-hold-duration': number({ minimum: 0, requires: 'ha-auto-rebalance' }),
        'ha-auto-rebalance-margin': number({ minimum: 0, maximum: 100, requires: 'ha-auto-rebalance' }),
        'ha-auto-rebalance-method': oneOf(['bruteforce', 'topsis'], { requires: 'ha-auto-rebalance' }),
        'ha-auto-rebalance-threshold': number({ minimum: 0, maximum: 100, requires: 'ha-auto-rebalance' }),
        'ha-rebalance-on-start': flag(),
      }),
      delete: keys,
      description: text({ maxLength: 65_536 }),
      email_from: text({ format: 'email-opt' }),
      fencing: oneOf(['watchdog', 'hardware', 'both']),
      ha: parts({ shutdown_policy: needed(oneOf(['freeze', 'failover', 'conditional', 'migrate'])) }),
      http_proxy: text({ pattern: /http:\/\/.*/ }),
      keyboard,
      language: oneOf(
        words('ar ca da de en es eu fa fr hr he it ja ka kr nb nl nn pl pt_BR ru sl sv tr ukr zh_CN zh_TW'),
      ),
      location: text({ format: 'pve-node-location' }),
      mac_prefix: text({ format: 'mac-prefix' }),
      max_workers: integer({ minimum: 1 }),
      migration: parts({ network: text({ format: 'CIDR' }), type: needed(first(oneOf(['secure', 'insecure']))) }),
      migration_unsecure: flag(),
      'next-id': parts({ lower: integer(), upper: integer() }),
      notify: parts({
        fencing: oneOf(['always', 'never']),
        'package-updates': oneOf(['auto', 'always', 'never']),
        replication: oneOf(['always', 'never']),
        'target-fencing': text(),
        'target-package-updates': text(),
        'target-replication': text(),
      }),
      'registered-tags': text({
        pattern: /(?:(?:[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*);)*(?:[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*)/,
      }),
      replication: parts({ network: text({ format: 'CIDR' }), type: needed(first(oneOf(['secure', 'insecure']))) }),
      'tag-style': parts({
        'case-sensitive': flag(),
        'color-map': text({
          pattern:
            /(?:(?:[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*):[0-9a-fA-F]{6}(?::[0-9a-fA-F]{6})?)(?:;(?:(?:[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*):[0-9a-fA-F]{6}(?::[0-9a-fA-F]{6})?))*/,
        }),
        ordering: oneOf(['config', 'alphabetical']),
        shape: oneOf(['full', 'circle', 'dense', 'none']),
      }),
      u2f: parts({ appid: text(), origin: text() }),
      'user-tag-access': parts({
        'user-allow': oneOf(['none', 'list', 'existing', 'free']),
        'user-allow-list': text({
          pattern: /(?:[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*)(?:;(?:[a-zA-Z0-9_][a-zA-Z0-9_\-+.]*))*/,
        }),
      }),
      webauthn: parts({ 'allow-subdomains': flag(), id: text(), origin: text(), rp: text() }),
    },
    protected: true,
  },
  'GET /cluster/resources': { permission: 'all', params: { type: oneOf(['vm', 'storage', 'node', 'sdn']) } },
  'GET /cluster/status': { permission: at('/', 'Sys.Audit'), protected: true },
  'GET /cluster/tasks': { permission: 'all' },
  'GET /version': { permission: 'all' },
};

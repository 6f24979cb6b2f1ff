import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { api, indexes } from '../../../src/wire/proxmox/api.ts';
import { further } from '../../../src/wire/proxmox/further.ts';
import { propertyFormats } from '../../../src/wire/proxmox/formats.ts';
import { isAlias } from '../../../src/wire/proxmox/notation.ts';
import type { Alias, Check, Endpoint, Param, Parts, Permission } from '../../../src/wire/proxmox/notation.ts';
import { recordingsFolder } from './rows.ts';
import type { RealParam } from './wrong-values.ts';

/** As the real server describes itself. */
type RealPermissions = 'root@pam only' | { readonly user?: string; readonly check?: readonly unknown[] };
type Real = {
  readonly method: string;
  readonly path: string;
  readonly protected: boolean;
  readonly proxyto: string | null;
  readonly allowtoken: boolean;
  readonly extra_params_allowed: boolean;
  readonly permissions: RealPermissions;
  readonly params: Readonly<Record<string, RealParam>>;
};

const real = JSON.parse(readFileSync(join(recordingsFolder(), 'proxmox-schema.json'), 'utf8')) as {
  readonly endpoints: readonly Real[];
  readonly formats: Readonly<Record<string, Readonly<Record<string, RealParam>>>>;
};

/** Perl says some things otherwise that mean the same. */
const pattern = (perl: string): string =>
  perl
    .replaceAll('(?^i:[a-z0-9_][a-z0-9_\\-\\+\\.]*)', '(?:[a-zA-Z0-9_][a-zA-Z0-9_\\-\\+\\.]*)')
    .replaceAll(/\(\?\^u?:/g, '(?:')
    .replaceAll('{,', '{0,')
    .replaceAll(/\\x0A/gi, '\\x0a');

/** Some signs may have a backslash before them or not. */
const bare = (source: string): string =>
  source.replaceAll(/\[[^\]]*\]/g, (signs) => signs.replaceAll(/\\([+.])/g, '$1')).replaceAll(/\\([-_@/])/g, '$1');

const without = (value: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));

function realParam(param: RealParam): Record<string, unknown> {
  if (param.alias !== undefined) return without({ alias: param.alias, key: param.keyAlias });
  const number = (value: number | string | undefined): number | undefined =>
    value === undefined ? undefined : Number(value);
  return without({
    type: param.type,
    required: param.required,
    enum: param.enum?.map(String),
    pattern: param.pattern === undefined ? undefined : bare(pattern(param.pattern)),
    minimum: number(param.minimum),
    maximum: number(param.maximum),
    minLength: param.minLength,
    maxLength: param.maxLength,
    format: param.format,
    parts: param.props === undefined ? undefined : mapped(param.props, realParam),
    first: param.default_key === undefined ? undefined : true,
    requires: param.requires,
    when: param.when,
  });
}

const ourParam = (param: Param | Alias): Record<string, unknown> =>
  isAlias(param)
    ? { ...param }
    : without({
        ...param,
        pattern: param.pattern === undefined ? undefined : bare(param.pattern.source),
        parts: param.parts === undefined ? undefined : ourParts(param.parts),
      });

const ourParts = (parts: Parts): Record<string, unknown> => mapped(parts, ourParam);

const mapped = <T>(record: Readonly<Record<string, T>>, change: (value: T) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** Our checks in the notation of the server. */
function realCheck(check: Check): readonly unknown[] {
  switch (check.kind) {
    case 'at':
      return [
        'perm',
        check.path,
        check.privileges,
        ...(check.any ? ['any', 1] : []),
        ...(check.ifGiven === undefined ? [] : ['require_param', check.ifGiven]),
      ];
    case 'both':
      return ['and', ...check.checks.map(realCheck)];
    case 'either':
      return ['or', ...check.checks.map(realCheck)];
    case 'user':
      return ['userid-param', check.what];
    case 'user group':
      return ['userid-group', check.privileges, ...(check.groups === undefined ? [] : ['groups_param', check.groups])];
    case 'modify permissions':
      return ['perm-modify', check.path];
  }
}

const ourPermission = (permission: Permission): RealPermissions => {
  if (permission === 'root') return 'root@pam only';
  return typeof permission === 'string' ? { user: permission } : { check: realCheck(permission) };
};

/** Whom everybody may ask needs no check besides. */
const realPermission = (permissions: RealPermissions): RealPermissions =>
  typeof permissions === 'object' && permissions.user !== undefined ? { user: permissions.user } : permissions;

const ours = (endpoint: Endpoint): unknown => ({
  permission: ourPermission(endpoint.permission),
  protected: endpoint.protected ?? false,
  proxied: endpoint.proxied ?? false,
  tokens: endpoint.tokens ?? true,
  extra: endpoint.extra ?? false,
  params: ourParts(endpoint.params ?? {}),
});

test.each(real.endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s is described as it is',
  (key, endpoint) => {
    const described = api[key];
    expect(described === undefined ? undefined : ours(described)).toEqual({
      permission: realPermission(endpoint.permissions),
      protected: endpoint.protected,
      proxied: endpoint.proxyto === 'node',
      tokens: endpoint.allowtoken,
      extra: endpoint.extra_params_allowed,
      params: mapped(endpoint.params, realParam),
    });
  },
);

test.each(Object.entries(real.formats))('the property string %s is described as it is', (name, format) => {
  expect(ourParts(propertyFormats[name] ?? {})).toEqual(mapped(format, realParam));
});

test('nothing is described that is not there', () => {
  const there = new Set([
    ...real.endpoints.map(({ method, path }) => `${method} ${path}`),
    ...Object.keys(indexes),
    ...Object.keys(further),
  ]);
  expect({
    calls: Object.keys(api).filter((key) => !there.has(key)),
    formats: Object.keys(propertyFormats).filter((name) => real.formats[name] === undefined),
  }).toEqual({ calls: [], formats: [] });
});

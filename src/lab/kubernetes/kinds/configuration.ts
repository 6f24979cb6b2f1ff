import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import type { FieldError, Strategy } from '../resource.ts';
import { forbiddenField, immutable, invalidValue, required } from './errors.ts';
import { fill, text, type Tree, tree, within } from './tree.ts';

const most = 1024 * 1024;
const keyExpression = '[-._a-zA-Z0-9]+';
const notAKey = `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '${keyExpression}')`;

function checkKeys(field: string, data: Tree): readonly FieldError[] {
  return Object.keys(data).flatMap((key) => {
    const of = `${field}[${key}]`;
    if (key.length > 253) return [invalidValue(of, key, 'must be no more than 253 characters')];
    if (!/^[-._a-zA-Z0-9]+$/.test(key)) return [invalidValue(of, key, notAKey)];
    if (key === '.') return [invalidValue(of, key, "must not be '.'")];
    return key.startsWith('..') ? [invalidValue(of, key, "must not start with '..'")] : [];
  });
}

const tooLong = (field: string): FieldError => ({
  reason: 'FieldValueTooLong',
  field,
  message: `Too long: may not be more than ${most} bytes`,
});

/** Once it is said to be immutable, it is. */
function checkFrozen(next: KubeObject, old: KubeObject, fields: readonly string[]): readonly FieldError[] {
  if (old['immutable'] !== true) return [];
  const because = 'field is immutable when `immutable` is set';
  const isThawed = next['immutable'] !== true ? [forbiddenField('immutable', because)] : [];
  const changed = fields.filter((name) => !isDeepStrictEqual(next[name] ?? {}, old[name] ?? {}));
  return [...isThawed, ...changed.map((name) => forbiddenField(name, because))];
}

function checkConfigMap(map: KubeObject): readonly FieldError[] {
  const [data, binary] = [tree(map['data']), tree(map['binaryData'])];
  const size = [...Object.values(data), ...Object.values(binary)].reduce<number>(
    (sum, value) => sum + text(value).length,
    0,
  );
  return [
    ...checkKeys('data', data),
    ...Object.keys(data)
      .filter((key) => key in binary)
      .map((key) => invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...checkKeys('binaryData', binary),
    ...(size > most ? [tooLong('')] : []),
  ];
}

export const configMapStrategy: Strategy = {
  validate: checkConfigMap,
  validateUpdate: (next, old) => [...checkFrozen(next, old, ['data', 'binaryData']), ...checkConfigMap(next)],
};

/** What must be in a secret of that type. */
const mustHave: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

function checkSecret(secret: KubeObject): readonly FieldError[] {
  const data = tree(secret['data']);
  const type = text(secret['type']);
  const wrong = [...checkKeys('data', data)];
  if (type === 'kubernetes.io/service-account-token') {
    const key = 'kubernetes.io/service-account.name';
    if ((secret.metadata.annotations?.[key] ?? '') === '') wrong.push(required(`metadata.annotations[${key}]`));
  }
  if (type === 'kubernetes.io/basic-auth' && !('username' in data) && !('password' in data)) {
    wrong.push(required('data[username]'), required('data[password]'));
  }
  wrong.push(...(mustHave[type] ?? []).filter((key) => !(key in data)).map((key) => required(`data[${key}]`)));
  const size = Object.values(data).reduce<number>((sum, value) => sum + (text(value).length * 3) / 4, 0);
  return size > most ? [...wrong, tooLong('data')] : wrong;
}

export const secretStrategy: Strategy = {
  defaults: (secret) => {
    fill(secret, { type: 'Opaque' });
    const said = tree(secret['stringData']);
    delete secret['stringData'];
    if (Object.keys(said).length === 0) return;
    const data = within(secret, 'data');
    for (const [key, value] of Object.entries(said)) data[key] = Buffer.from(text(value)).toString('base64');
  },
  prepareUpdate: (next, old) => fill(next, { type: old['type'] }),
  validate: checkSecret,
  validateUpdate: (next, old) => [
    ...(next['type'] === old['type'] ? [] : [invalidValue('type', next['type'], immutable)]),
    ...checkFrozen(next, old, ['data']),
    ...checkSecret(next),
  ],
};

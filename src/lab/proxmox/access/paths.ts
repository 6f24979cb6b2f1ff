/** With one slash between names and none behind; undefined: nothing that could be a path. */
export function normalPath(path: string): string | undefined {
  if (path === '') return undefined;
  const short = path.replaceAll(/\/+/g, '/').replace(/\/$/, '');
  const whole = short === '' ? '/' : short.startsWith('/') ? short : `/${short}`;
  return /^[\p{L}\p{N}._/-]+$/u.test(whole) ? whole : undefined;
}

const name = '[A-Za-z0-9._-]+';
const word = '[A-Za-z0-9]+';
const objects = [
  '',
  'access',
  'access/groups',
  `access/groups/${name}`,
  'access/realm',
  `access/realm/${name}`,
  'nodes',
  `nodes/${name}`,
  'pool',
  `pool/${name}(?:/${name}){0,2}`,
  'sdn',
  'sdn/controllers',
  'sdn/controllers/[A-Za-z0-9_-]+',
  ...['dns', 'fabrics', 'ipams', 'prefix-lists', 'route-maps'].flatMap((each) => [
    `sdn/${each}`,
    `sdn/${each}/${word}`,
  ]),
  'sdn/zones',
  `sdn/zones/${name}`,
  `sdn/zones/${name}/${name}`,
  `sdn/zones/${name}/${name}/[1-9][0-9]{0,3}`,
  'storage',
  `storage/${name}`,
  'vms',
  'vms/[1-9][0-9]{2,}',
  'mapping',
  `mapping/${name}`,
  `mapping/${name}/${name}`,
];
const allowed = new RegExp(`^/(?:${objects.join('|')})$`);

/** Something that rights can be given on. */
export const isAclPath = (path: string): boolean => allowed.test(path);

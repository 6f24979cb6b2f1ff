/** A parameter as the real server describes it. */
export type RealParam = {
  readonly type?: string;
  readonly required?: true;
  readonly enum?: readonly (string | number)[];
  readonly pattern?: string;
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly props?: Readonly<Record<string, RealParam>>;
  readonly default_key?: 1;
  readonly alias?: string;
  readonly keyAlias?: string;
  readonly requires?: string;
  readonly when?: readonly string[];
};

export type Wrong = {
  /** Undefined: it is left out. */
  readonly value: string | undefined;
  readonly complaint: string;
  /** The parameter that is complained about, where it is another one. */
  readonly on?: string;
};

/** One value for each format that it does not take, with what is said about it. */
const unfit: Readonly<Record<string, readonly [value: string, complaint: string]>> = {
  'pve-node': ['a_b', 'value does not look like a valid node name'],
  'pve-vmid': ['99', 'value does not look like a valid VM ID'],
  'pve-storage-id': ['x', "storage ID 'x' cannot be shorter than 2 characters"],
  'pve-configid': ['7', "invalid configuration ID '7'"],
  'pve-userid': ['nobody', "value 'nobody' does not look like a valid user name"],
  'pve-groupid': ['a+b', "group name 'a+b' contains invalid characters"],
  'pve-roleid': ['a+b', "role name 'a+b' contains invalid characters"],
  'pve-tokenid': ['root@pam', "value 'root@pam' does not look like a valid token ID"],
  'pve-realm': ['7', 'value does not look like a valid realm'],
  'pve-priv': ['VM.Nothing', "invalid privilege 'VM.Nothing'"],
  'pve-poolid': ['a+b', "pool name 'a+b' contains invalid characters"],
  'pve-iface': ['7', "invalid network interface name '7'"],
  'pve-volume-id': ['nothing', "unable to parse volume ID 'nothing'"],
  'pve-volume-id-or-qm-path': ['nothing', "unable to parse volume ID 'nothing'"],
  'pve-volume-id-or-absolute-path': ['nothing', "unable to parse volume ID 'nothing'"],
  'pve-qm-bootdev': ['x0', "invalid boot device 'x0'"],
  'pve-phys-bits': ['7', "value must be an integer between 8 and 64 or 'host'"],
  'pve-ipv4-config': ['10.0.0.1', 'value does not look like a valid ipv4 network configuration'],
  'pve-ipv6-config': ['fd00::1', 'value does not look like a valid ipv6 network configuration'],
  'disk-size': ['much', 'value does not look like a valid disk size: much'],
  'pve-bridge-id': ['a+b', "invalid bridge ID 'a+b'"],
  'pve-tag': ['+', 'invalid characters in tag'],
  'pve-cpuset': ['x', 'unable to parse cpuset option'],
  'pve-qm-bootdisk': ['x0', "invalid boot disk 'x0'"],
  'pve-hotplug-features': ['warp', "invalid hotplug feature 'warp'"],
  'pve-startup-order': ['soon', 'unable to parse startup options'],
  'pve-ha-resource-or-vm-id': ['?', 'value does not look like a valid ha resource id'],
  'pve-ha-resource-id': ['?', 'value does not look like a valid ha resource id'],
  'pve-ha-node': ['a_b', 'value does not look like a valid ha node'],
  'pve-storage-content': ['songs', "invalid content type 'songs'"],
  'pve-storage-path': ['here', 'value does not look like a valid absolute path'],
  'pve-storage-server': ['a_b', 'value does not look like a valid server name or IP address'],
  'pve-storage-vgname': ['-', "lvm name '-' contains illegal characters"],
  'pve-storage-options': [' ', "invalid options ' '"],
  'pve-storage-portal-dns': ['a_b', 'value does not look like a valid portal address'],
  'pve-storage-zfs-blocksize': [
    'x',
    "invalid ZFS blocksize format 'x'. Use a positive number (no leading zeros) with an optional 'k' or 'm' suffix.",
  ],
  'pve-dir-override': ['x', "invalid override 'x'"],
  'pve-task-status-type': ['odd', "invalid status 'odd'"],
  'pve-vlan-id-or-range': ['1', "invalid VLAN tag '1'"],
  'pve-fw-addr-spec': ['a b', 'invalid IP address: Invalid chars in IP a b'],
  'pve-fw-dport-spec': ['70000', "invalid port '70000'"],
  'pve-fw-sport-spec': ['70000', "invalid port '70000'"],
  'pve-fw-protocol-spec': ['pigeon', "unknown protocol 'pigeon'"],
  'pve-fw-icmp-type-spec': ['pigeon', "invalid icmp-type value 'pigeon'"],
  'pve-lxc-mp-string': ['/a/../b', '/a/../b contains illegal character sequences'],
  'pve-lxc-dev-string': ['/tmp/x', '/tmp/x is not a valid device path'],
  'pve-ct-timezone': ['Moon', "invalid time zone 'Moon'"],
  'lxc-ip-with-ll-iface': ['x', 'value does not look like a valid IP address'],
  'storage-pair': ['x', "entry 'x' contains invalid ID - storage ID 'x' cannot be shorter than 2 characters\n\n"],
  'dns-name': ['a_b', 'value does not look like a valid DNS name'],
  address: ['a_b', 'value does not look like a valid address: a_b'],
  'mac-addr': ['01:00:00:00:00:00', 'value does not look like a valid unicast MAC address'],
  'mac-prefix': ['01', 'value is not a valid unicast MAC address prefix'],
  ipv4: ['1.2.3', 'value does not look like a valid IPv4 address'],
  ipv6: ['1.2.3', 'value does not look like a valid IPv6 address'],
  ipv4mask: ['255.0.255.0', 'value does not look like a valid IP netmask'],
  CIDR: ['1.2.3.4', 'value does not look like a valid CIDR network'],
  CIDRv4: ['1.2.3.4', 'value does not look like a valid IPv4 CIDR network'],
  CIDRv6: ['1.2.3.4', 'value does not look like a valid IPv6 CIDR network'],
  IPorCIDR: ['nothing', 'value does not look like a valid IP address or CIDR network'],
  IPorCIDRorAlias: ['1.2.3', 'value does not look like a valid IP address or CIDR network'],
  email: ['@', 'value does not look like a valid email address'],
  urlencoded: ['/', 'invalid urlencoded string: /'],
  'ldap-simple-attr': ['-', "value '-' does not look like a simple ldap attribute name"],
};

const plain = /^(.*?)(?:-(?:list|opt))?$/;

/** Patterns are Perl's, but for the few that say only that something must be there. */
const unlike = (pattern: string): string => (/^\\S|\|\\S\+/.test(pattern) ? ' ' : '\u0001');

/** Values that a parameter does not take, each with what the real server says about it. */
export function wrongValues(name: string, param: RealParam, formats: ReadonlySet<string>): readonly Wrong[] {
  const wrong: Wrong[] = [];
  const path = param.when === undefined ? name : `oneOf[${param.when[0]}].${name}`;
  const add = (value: string | undefined, complaint: string): void => void wrong.push({ value, complaint, on: path });
  if (param.required === true) add(undefined, 'property is missing and it is not optional');
  if (param.type === 'integer' || param.type === 'number') add('x', `type check ('${param.type}') failed - got 'x'`);
  if (param.type === 'boolean') add('true', "type check ('boolean') failed - got 'true'");
  const format = param.format === undefined || formats.has(param.format) ? undefined : plain.exec(param.format)?.[1];
  const [value, complaint] = unfit[format ?? ''] ?? [];
  if (format !== undefined && value === undefined) throw new Error(`No unfit value is known for ${format}.`);
  if (value !== undefined) add(value, `invalid format - ${complaint}\n`);
  if (param.props !== undefined || (param.format !== undefined && formats.has(param.format))) return wrong;
  if (param.format === undefined && param.pattern !== undefined)
    add(unlike(param.pattern), 'value does not match the regex pattern');
  if (param.format === undefined && param.pattern === undefined) wrong.push(...wrongLengths(path, param));
  if (param.format !== 'pve-vmid') wrong.push(...wrongSizes(path, param));
  if (param.enum !== undefined && param.type === 'string' && param.format === undefined)
    add('odd', `value 'odd' does not have a value in the enumeration '${param.enum.join(', ')}'`);
  return wrong;
}

function wrongLengths(on: string, { maxLength, minLength }: RealParam): readonly Wrong[] {
  return [
    ...(maxLength === undefined || maxLength > 60_000
      ? []
      : [{ value: 'x'.repeat(maxLength + 1), complaint: `value may only be ${maxLength} characters long`, on }]),
    ...(minLength === undefined
      ? []
      : [{ value: 'x'.repeat(minLength - 1), complaint: `value must be at least ${minLength} characters long`, on }]),
  ];
}

function wrongSizes(on: string, { maximum, minimum }: RealParam): readonly Wrong[] {
  return [
    ...(maximum === undefined
      ? []
      : [{ value: String(Number(maximum) + 1), complaint: `value must have a maximum value of ${maximum}`, on }]),
    ...(minimum === undefined
      ? []
      : [{ value: String(Number(minimum) - 1), complaint: `value must have a minimum value of ${minimum}`, on }]),
  ];
}

/** Property strings that are wrong in one key each. */
export function wrongProperties(
  name: string,
  props: Readonly<Record<string, RealParam>>,
  formats: ReadonlySet<string>,
): readonly Wrong[] {
  const missing = Object.entries(props)
    .filter(([, part]) => part.required === true)
    .map(([key]) => key);
  const told = (complaints: readonly (readonly [string, string])[]): string =>
    `invalid format - format error\n${complaints
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, text]) => `${name}.${key}: ${text}\n`)
      .join('')}`;
  const lacking = (given: string): readonly (readonly [string, string])[] =>
    missing.filter((key) => key !== given).map((key) => [key, 'property is missing and it is not optional'] as const);
  const unknown = 'property is not defined in schema and the schema does not allow additional properties';
  return [
    { value: 'nosuch=1', complaint: told([...lacking(''), ['nosuch', unknown]]) },
    ...Object.entries(props)
      .filter(([, part]) => part.alias === undefined)
      .flatMap(([key, part]) =>
        wrongValues(key, part, formats)
          // In here a yes has many names.
          .map((wrong) =>
            part.type === 'boolean' && wrong.value === 'true'
              ? { value: 'odd', complaint: "type check ('boolean') failed - got 'odd'" }
              : wrong,
          )
          .filter(
            ({ value }) => value !== undefined && value !== '' && !value.includes(',') && !value.includes('\u0001'),
          )
          .map(({ value, complaint }) => ({
            value: `${key}=${value}`,
            complaint: told([
              ...lacking(key),
              [key, complaint],
              ...(part.requires === undefined
                ? []
                : [[part.requires, `missing property required by '${name}.${key}'`] as const]),
            ]),
          })),
      ),
  ];
}

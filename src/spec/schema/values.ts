import * as z from 'zod';
import type { Checksum } from '../../model/file.ts';
import { parseAddress, parseCidr, parseRange, type Address } from '../../model/ip.ts';
import { parseVmidRange } from '../../model/range.ts';
import { parseGiB, parseMiB, type GiB } from '../../model/size.ts';
import { cel, note, type CelRule, type Choice } from './notes.ts';

type TextRules = {
  /** The end of "expected …". */
  readonly wants: string;
  readonly example: string;
  readonly max: number;
  readonly pattern?: RegExp;
};

/** A string with a shape. The pattern is what an API server can check; `parse` may be stricter. */
function text({ wants, example, max, pattern }: TextRules) {
  const base = z.string().min(1).max(max);
  return note((pattern ? base.regex(pattern) : base).meta({ examples: [example] }), { wants });
}

/** A string that stands for something else; what `parse` cannot read is an error that says what is wanted. */
function parsed<T>(rules: TextRules, parse: (text: string) => T | undefined) {
  const schema = text(rules).transform((written, context): T => {
    const value = parse(written);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `expected ${rules.wants}`, input: written });
    return z.NEVER;
  });
  return note(schema, { wants: rules.wants });
}

/** The same, where the text itself stays the value. */
const checked = (rules: TextRules, accepts: (text: string) => unknown) =>
  parsed(rules, (written) => (accepts(written) === undefined ? undefined : written));

/** A whole number that JSON, YAML and an API server agree on. */
export const integer = (min: number, max: number) => z.int().min(min).max(max);

// Only plain blanks: \s is a different set of characters to JavaScript and to an API server.
const sizePattern = /^[0-9]{1,12}(\.[0-9]{1,6})? *(B|[KMGTP]iB?)$/;
export const memorySize = () =>
  parsed(
    { wants: 'a size with its unit, such as 16GiB or 512MiB', example: '16GiB', max: 24, pattern: sizePattern },
    parseMiB,
  );
export const diskSize = () =>
  parsed(
    {
      wants: 'a size in whole GiB with its unit, such as 100GiB or 2TiB',
      example: '100GiB',
      max: 24,
      pattern: sizePattern,
    },
    parseGiB,
  );

export type DataDisk = { readonly sizeGiB: GiB; readonly datastore: string | undefined };

const dataDisk = (written: string): DataDisk | undefined => {
  const [size = '', datastore, ...rest] = written.split(/\s+on\s+/);
  const sizeGiB = parseGiB(size);
  if (sizeGiB === undefined || rest.length > 0) return undefined;
  return { sizeGiB, datastore };
};
export const dataDiskSize = () =>
  parsed(
    {
      wants: 'a size in whole GiB, and the datastore when it is another one, such as 200GiB or "200GiB on fast-nvme"',
      example: '200GiB',
      max: 120,
      pattern: /^[0-9]{1,12}(\.[0-9]{1,6})? *(B|[KMGTP]iB?)( +on +[A-Za-z0-9][A-Za-z0-9._-]*)?$/,
    },
    dataDisk,
  );

const checksumOf = (written: string): Checksum | undefined => {
  const [, algorithm, hex] = /^(sha256|sha512):([0-9a-f]+)$/.exec(written) ?? [];
  if ((algorithm !== 'sha256' && algorithm !== 'sha512') || hex === undefined) return undefined;
  return hex.length === (algorithm === 'sha256' ? 64 : 128) ? { algorithm, hex } : undefined;
};
/** As people paste it from a list of checksums. */
export const checksum = () =>
  parsed(
    {
      wants: 'sha256: or sha512: and the checksum in hex',
      example: `sha256:${'0'.repeat(64)}`,
      max: 135,
      pattern: /^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/,
    },
    checksumOf,
  );

export const address = () =>
  checked(
    { wants: 'an IPv4 or IPv6 address, such as 10.10.0.5', example: '10.10.0.5', max: 45, pattern: /^[0-9A-Fa-f:.]+$/ },
    (written) => (unmapped(parseAddress(written)) ? written : undefined),
  );

/** Kubernetes refuses IPv4 in the clothes of IPv6 (::ffff:10.0.0.1), and so do we. */
const unmapped = (found: Address | undefined): boolean =>
  found !== undefined && (found.family === 4 || found.value >> 32n !== 0xffffn);

export const cidr = () =>
  checked(
    {
      wants: 'a network in CIDR form without host bits, such as 10.10.0.0/24',
      example: '10.10.0.0/24',
      max: 49,
      pattern: /^[0-9A-Fa-f:.]+\/[0-9]{1,3}$/,
    },
    (written) => {
      const network = parseCidr(written);
      return network?.exact && unmapped({ family: network.family, value: network.first }) ? written : undefined;
    },
  );

export const addressRange = () =>
  checked(
    {
      wants: 'addresses such as 10.10.0.20-10.10.0.39, 10.10.0.20-39 or 10.10.0.64/27',
      example: '10.10.0.20-10.10.0.39',
      max: 91,
      pattern: /^[0-9A-Fa-f:./ -]+$/,
    },
    parseRange,
  );

export const vmidRange = () =>
  parsed(
    {
      wants: 'VMIDs such as 401-499, from 100 up',
      example: '401-499',
      max: 21,
      pattern: /^[0-9]{1,9} *- *([0-9]{1,9})?$/,
    },
    parseVmidRange,
  );

export const mac = () =>
  checked(
    {
      wants: 'a unicast MAC address such as BC:24:11:00:00:10',
      example: 'BC:24:11:00:00:10',
      max: 17,
      pattern: /^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/,
    },
    (written) => (Number.parseInt(written.slice(0, 2), 16) % 2 === 0 ? written : undefined),
  ).transform((written) => written.toUpperCase());

export const macPrefix = () =>
  checked(
    {
      wants: 'one to three octets of a unicast MAC address, such as BC:24:11',
      example: 'BC:24:11',
      max: 8,
      pattern: /^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){0,2}$/,
    },
    (written) => (Number.parseInt(written.slice(0, 2), 16) % 2 === 0 ? written : undefined),
  ).transform((written) => written.toUpperCase());

export const uuid = () =>
  text({
    wants: 'a UUID such as 6f1c2f8e-5a0f-5d5e-9c54-0f6a2f1f2a11',
    example: '6f1c2f8e-5a0f-5d5e-9c54-0f6a2f1f2a11',
    max: 36,
    pattern: /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/,
  });

export const version = (example: string) =>
  text({
    wants: `a version such as ${example}`,
    example,
    max: 64,
    pattern: /^v?(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})(-[0-9A-Za-z.-]+)?$/,
  });

/** Lower-case letters, digits and dashes: what DNS, Kubernetes and Proxmox all take as a name. */
export const label = (example: string, max = 63) =>
  text({ wants: 'lower-case letters, digits and dashes', example, max, pattern: /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/ });

export const hostname = (example: string) =>
  text({
    wants: 'a DNS name',
    example,
    max: 253,
    pattern: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/,
  });

/** Names that other systems chose: hosts, datastores, bridges, pools. */
export const foreignName = (example: string) =>
  text({
    wants: 'letters, digits, dots, dashes and underscores',
    example,
    max: 100,
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
  });

export const url = (schemes: readonly string[], example: string) =>
  checked(
    {
      wants: `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
      example,
      max: 2048,
      pattern: new RegExp(`^(${schemes.map(escapeRegExp).join('|')})://.+$`),
    },
    (written) => (URL.canParse(written) && !carriesSecret(new URL(written)) ? written : undefined),
  );

/** https://TOKEN@host is a secret in clear; ssh://git@host is not. */
const carriesSecret = ({ protocol, username, password }: URL): boolean =>
  password !== '' || (username !== '' && /^https?:$/.test(protocol));

const escapeRegExp = (literal: string): string => literal.replace(/[.+]/g, '\\$&');

export const path = (example: string) => text({ wants: 'a path', example, max: 1024 });

export const free = (example: string, max = 1024) => text({ wants: 'text', example, max });

export const duration = () =>
  text({
    wants: 'a duration such as 10m, 1h30m or 45s',
    example: '10m',
    max: 24,
    pattern: /^([0-9]+(\.[0-9]+)?(ms|s|m|h|d))+$/,
  });

export const port = () => integer(1, 65535);

export const fingerprint = () =>
  text({
    wants: 'the SHA-256 fingerprint of the certificate: 32 octets in hex, separated by colons',
    example: Array.from({ length: 32 }, (_, index) =>
      (index * 7 + 17).toString(16).padStart(2, '0').toUpperCase(),
    ).join(':'),
    max: 95,
    pattern: /^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$/,
  });

/** Named things: the name is the key, and identity never comes from a position in a list. */
export function mapOf<V extends z.ZodType>(wants: string, keys: RegExp, value: V, max = 64) {
  const key = z.string().max(253).regex(keys);
  const schema = z.record(key, value).check(({ value: entries, issues }) => {
    if (Object.keys(entries).length > max)
      issues.push({ code: 'too_big', origin: 'map', maximum: max, inclusive: true, input: entries });
  });
  const rule = `self.all(key, size(key) <= 253 && key.matches(r'${plainSource(keys)}'))`;
  return note(cel(schema, rule, `each name must be ${wants}`), { wants, maxProperties: max });
}

/** A pattern as the rest of the world writes it: only JavaScript escapes slashes. */
const plainSource = ({ source }: RegExp): string => source.replaceAll('\\/', '/');

const labelKeys = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
export const nameKeys = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
export const namedBy = <V extends z.ZodType>(value: V, max?: number) =>
  mapOf('lower-case letters, digits and dashes', labelKeys, value, max);
export const namedFreely = <V extends z.ZodType>(value: V, max?: number) =>
  mapOf('letters, digits, dots, dashes and underscores', nameKeys, value, max);

const labelText = z
  .string()
  .max(63)
  .regex(/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/);
/** What Kubernetes takes as the key of a label or annotation: a name, with or without a DNS name in front. */
const qualifiedName =
  /^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

export const nodeLabels = () =>
  mapOf(
    'a label key such as example.org/tier',
    qualifiedName,
    note(labelText, { wants: 'a label value: up to 63 letters, digits, dashes, dots and underscores' }),
  );
export const nodeAnnotations = (longest = 4096) =>
  mapOf('an annotation key such as example.org/owner', qualifiedName, z.string().max(longest));

export const taint = () =>
  text({
    wants: 'a taint such as gpu=true:NoSchedule',
    example: 'gpu=true:NoSchedule',
    max: 400,
    pattern:
      /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?(=([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?)?:(NoSchedule|PreferNoSchedule|NoExecute)$/,
  });

/** Any YAML; whoever receives it checks it. */
export const anything = (): z.ZodType<Record<string, unknown>> =>
  note(z.record(z.string(), z.unknown()), { free: true, wants: 'a mapping' });

/** A Talos patch: one document as a mapping, or text with several documents or a JSON patch. */
export const patches = () =>
  z
    .array(
      note(z.union([z.record(z.string(), z.unknown()), z.string().min(1)]), {
        free: true,
        wants: 'a mapping (strategic merge) or text (several documents, or a JSON patch)',
      }),
    )
    .max(64)
    .default([])
    .describe(
      'Talos machine configuration patches, applied in order: a mapping is a strategic merge patch of one document, text may hold several documents or a JSON patch.',
    );

const references = {
  env: text({
    wants: 'the name of an environment variable',
    example: 'PROXMOX_TOKEN',
    max: 256,
    pattern: /^[A-Za-z_][A-Za-z0-9_]*$/,
  })
    .describe('Name of the environment variable that holds it.')
    .optional(),
  file: path('./secrets/token').describe('Path of a file that holds it, readable by its owner only.').optional(),
  age: path('./secrets/token.age').describe('Path of a file encrypted with age that holds it.').optional(),
  keyring: text({ wants: 'service/account', example: 'ichor/proxmox', max: 256, pattern: /^[^/]+\/.+$/ })
    .describe('Entry of the system keyring, as service/account.')
    .optional(),
  vault: text({ wants: 'path#key', example: 'secret/data/ichor#token', max: 512, pattern: /^[^#]+#[^#]+$/ })
    .describe('Key in HashiCorp Vault or OpenBao, as path#key.')
    .optional(),
};

/** Of several keys exactly one (or at most one) may be given. */
export function oneOf<S extends z.ZodRawShape>(
  shape: S,
  keys: readonly (keyof S & string)[],
  count: Choice['count'] = 'exactly one',
) {
  const { rule, message } = choiceRule(keys, count);
  const given = (value: object): number =>
    keys.filter((key) => (value as Record<string, unknown>)[key] !== undefined).length;
  const schema = z
    .strictObject(shape)
    .refine((value) => given(value) === 1 || (given(value) === 0 && count === 'at most one'), {
      message,
      // Said even when something inside is wrong: all problems are reported at once.
      when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
    });
  return note(schema, { cel: [{ rule, message }], choice: { keys, count } });
}

export function choiceRule(keys: readonly string[], count: Choice['count']): CelRule {
  const given = `[${keys.map((key) => `has(self.${key})`).join(', ')}].filter(given, given).size()`;
  return {
    rule: `${given} ${count === 'exactly one' ? '==' : '<='} 1`,
    message: `${count} of ${keys.join(', ')} must be given`,
  };
}

/** A secret is never written in the file: only where it is. */
export const secret = () =>
  note(oneOf(references, ['env', 'file', 'age', 'keyring', 'vault']), {
    secret: true,
    wants: 'a reference to the secret',
  });

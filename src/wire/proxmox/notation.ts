/** What a value must look like: a parameter of a call, or a part of a property string. */
export type Param = {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly required?: true;
  readonly enum?: readonly string[];
  /** Holds for the whole value. */
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A kind of value that a pattern cannot tell, or a property string that has a name. */
  readonly format?: string;
  /** A property string: `key=value` pairs between commas. */
  readonly parts?: Parts;
  /** May stand in a property string without its key. */
  readonly first?: true;
  /** Is nothing without this one. */
  readonly requires?: string;
  /** Is there for these types alone. */
  readonly when?: readonly string[];
};

/** A key that means another one; with `key`, its own name is a value as well: `virtio=MAC` is `model=virtio,macaddr=MAC`. */
export type Alias = { readonly alias: string; readonly key?: string };

export type Parts = Readonly<Record<string, Param | Alias>>;

/** By name. `net[0-31]` stands for net0 to net31. */
export type Params = Readonly<Record<string, Param>>;

export const isAlias = (part: Param | Alias): part is Alias => 'alias' in part;

/** What somebody must have before a call is even looked at. */
export type Check =
  | {
      readonly kind: 'at';
      readonly path: string;
      readonly privileges: readonly string[];
      /** One of the privileges is enough. */
      readonly any: boolean;
      /** Fails when this parameter is not there. */
      readonly ifGiven?: string;
    }
  | { readonly kind: 'both' | 'either'; readonly checks: readonly Check[] }
  /** Over the groups that the user of the parameter `userid` is in, or is to be in. */
  | { readonly kind: 'user group'; readonly privileges: readonly string[]; readonly groups?: 'create' | 'update' }
  | { readonly kind: 'user'; readonly what: 'self' | 'Realm.AllocateUser' }
  | { readonly kind: 'modify permissions'; readonly path: string };

/** `world`: nobody in particular. `all`: anybody who is known. `root`: root@pam and no token. */
export type Permission = 'world' | 'all' | 'root' | Check;

export type Endpoint = {
  readonly permission: Permission;
  readonly params?: Params;
  /** Carried out by the daemon that is root. */
  readonly protected?: true;
  /** Sent on to the host that the path names. */
  readonly proxied?: true;
  readonly tokens?: false;
  /** Takes parameters that are not described. */
  readonly extra?: true;
};

/** `GET /nodes/{node}/qemu`: what stands in the path is a parameter too. */
export type Api = Readonly<Record<string, Endpoint>>;

/** Words between blanks, over as many lines as they need. */
export const words = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

type Terms = Omit<Param, 'type' | 'required' | 'first'>;

export const text = (terms: Terms = {}): Param => ({ type: 'string', ...terms });
export const oneOf = (values: readonly string[], terms: Terms = {}): Param => ({
  type: 'string',
  enum: values,
  ...terms,
});
export const integer = (terms: Terms = {}): Param => ({ type: 'integer', ...terms });
export const number = (terms: Terms = {}): Param => ({ type: 'number', ...terms });
export const flag = (terms: Terms = {}): Param => ({ type: 'boolean', ...terms });
export const texts = (): Param => ({ type: 'array' });
export const parts = (all: Parts, terms: Terms = {}): Param => ({ type: 'string', parts: all, ...terms });
export const needed = (param: Param): Param => ({ ...param, required: true });
export const first = (param: Param): Param => ({ ...param, first: true });
export const alias = (of: string): Alias => ({ alias: of });
export const keyAlias = (of: string, key: string): Alias => ({ alias: of, key });

export const at = (path: string, ...privileges: readonly string[]): Check => ({
  kind: 'at',
  path,
  privileges,
  any: false,
});
export const anyAt = (path: string, ...privileges: readonly string[]): Check => ({
  kind: 'at',
  path,
  privileges,
  any: true,
});
/** Fails when the parameter is not there. */
export const ifGiven = (param: string, path: string, ...privileges: readonly string[]): Check => ({
  kind: 'at',
  path,
  privileges,
  any: false,
  ifGiven: param,
});
export const both = (...checks: readonly Check[]): Check => ({ kind: 'both', checks });
export const either = (...checks: readonly Check[]): Check => ({ kind: 'either', checks });
export const userGroup = (privileges: readonly string[], groups?: 'create' | 'update'): Check => ({
  kind: 'user group',
  privileges,
  ...(groups === undefined ? {} : { groups }),
});
export const user = (what: 'self' | 'Realm.AllocateUser'): Check => ({ kind: 'user', what });
export const modifyPermissions = (path: string): Check => ({ kind: 'modify permissions', path });

import { forbidden } from '../refusal.ts';
import type { Call, Params, Principal, Upload } from '../call.ts';
import type { Datacenter } from '../datacenter.ts';
import type { Host } from '../host.ts';
import { splitList } from '../schema/perl-text.ts';

type Circumstances = {
  readonly datacenter: Datacenter;
  readonly host: Host;
  readonly who: Principal;
  readonly params: Params;
  readonly upload: Upload | undefined;
  readonly signal: AbortSignal;
};

export function callOf(given: Circumstances): Call {
  const { datacenter, who, params } = given;
  const text = (name: string): string | undefined => {
    const value = params[name];
    return typeof value === 'object' ? value.join(',') : value;
  };
  const may: Call['may'] = (path, privileges, how = 'all') => datacenter.access.may(who, path, privileges, how);
  return {
    ...given,
    text,
    number: (name) => {
      const value = text(name);
      return value === undefined ? undefined : Number(value);
    },
    flag: (name) => text(name) === '1',
    list: (name) => {
      const value = params[name];
      return typeof value === 'object' ? value : splitList(value ?? '');
    },
    may,
    require: (path, privileges, how = 'all') => {
      if (may(path, privileges, how)) return;
      const missing = how === 'any' ? privileges : privileges.filter((each) => !may(path, [each])).slice(0, 1);
      throw forbidden(`${path}, ${missing.join('|')}`);
    },
  };
}

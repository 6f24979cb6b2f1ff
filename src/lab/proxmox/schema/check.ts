import type { Endpoint, Param } from '../../../wire/proxmox/notation.ts';
import type { Params } from '../call.ts';
import { died, wrongParameters } from '../refusal.ts';
import { isSeveral, textOf } from '../server/form.ts';
import type { Sent } from '../server/form.ts';
import { Complaints, missingProperty, unknownProperty } from './complaints.ts';
import { accessFormats } from './formats/access.ts';
import { firewallFormats } from './formats/firewall.ts';
import type { Formats } from './formats/format.ts';
import { generalFormats } from './formats/general.ts';
import { networkFormats } from './formats/network.ts';
import { storageFormats } from './formats/storage.ts';
import { vmFormatChecks } from './formats/vm.ts';
import { checkValue } from './value.ts';

export type Check = (key: string, endpoint: Endpoint, sent: Sent) => Params;

/** Compares what was sent with the description of a call; refuses with everything that is wrong at once. */
export function createCheck(privileges: ReadonlySet<string>): Check {
  const formats: Formats = {
    ...generalFormats,
    ...networkFormats,
    ...storageFormats,
    ...vmFormatChecks,
    ...firewallFormats,
    ...accessFormats(privileges),
  };
  const described = new WeakMap<Endpoint, ReadonlyMap<string, Param>>();
  return (key, endpoint, sent) => {
    let params = described.get(endpoint);
    if (params === undefined) {
      params = expanded(endpoint);
      described.set(endpoint, params);
    }
    const values = unified(params, sent);
    const complaints = complaintsOf(formats, params, values, endpoint.extra === true);
    if (complaints.size > 0) throw wrongParameters(complaints.byPath());
    refuseNothing(key, sent);
    return textsOf(values);
  };
}

const mostNumbered = 255;

/** `net[0-31]` as net0 to net31. */
function expanded({ params = {} }: Endpoint): ReadonlyMap<string, Param> {
  const all = new Map<string, Param>();
  for (const [name, param] of Object.entries(params)) {
    const [, prefix, from, to] = /^(.+)\[(\d+)-(\d+|n)\]$/.exec(name) ?? [];
    if (prefix === undefined) all.set(name, param);
    else
      for (let number = Number(from); number <= (to === 'n' ? mostNumbered : Number(to)); number++)
        all.set(`${prefix}${number}`, param);
  }
  return all;
}

/** Several values for a list are one list, and one for several is several of one. */
function unified(params: ReadonlyMap<string, Param>, sent: Sent): Sent {
  const values: Sent = {};
  for (const [name, value] of Object.entries(sent)) {
    const param = params.get(name);
    const isList = param?.type === 'string' && param.format?.endsWith('-list') === true;
    if (isSeveral(value) && isList) values[name] = value.map((each) => textOf(each)).join(',');
    else if (param?.type === 'array' && typeof value === 'string' && value !== '') values[name] = [value];
    else values[name] = value;
  }
  return values;
}

function complaintsOf(formats: Formats, params: ReadonlyMap<string, Param>, values: Sent, extra: boolean): Complaints {
  const complaints = new Complaints();
  const kinds = [...params.values()].some(({ when }) => when !== undefined);
  const kind = kinds ? kindOf(params, values) : undefined;
  /** Undefined: not for what is meant here. */
  const pathOf = (name: string, { when }: Param): string | undefined => {
    if (when === undefined) return name;
    return kind !== undefined && when.includes(kind) ? `oneOf[${kind}].${name}` : undefined;
  };
  for (const [name, param] of params)
    if (param.required === true && (values[name] === undefined || values[name] === null)) {
      const path = pathOf(name, param);
      if (path !== undefined) complaints.add(path, missingProperty);
    }
  for (const [name, value] of Object.entries(values)) {
    const param = params.get(name);
    const path = param === undefined ? undefined : pathOf(name, param);
    if (param === undefined || path === undefined) {
      if (!extra || kinds) complaints.add(name, unknownProperty);
      continue;
    }
    if (value !== undefined && value !== null) checkValue(formats, param, value, path, complaints);
    const { requires } = param;
    if (requires !== undefined && (values[requires] === undefined || values[requires] === null))
      complaints.add(requires, `missing property required by '${name}'`);
  }
  return complaints;
}

/** What the parameter `type` says, if it can be that. */
function kindOf(params: ReadonlyMap<string, Param>, values: Sent): string | undefined {
  const value = values['type'];
  return params.get('type')?.enum?.find((each) => each === value);
}

/** A line of a VM’s configuration that is named and has no value is found out when it is to be written. */
function refuseNothing(key: string, sent: Sent): void {
  if (!/^(POST|PUT) \/nodes\/\{node\}\/qemu(\/\{vmid\}\/config)?$/.test(key)) return;
  for (const [name, value] of Object.entries(sent))
    if (value === undefined || value === null) throw died(`unable to parse value of '${name}' - got undefined value`);
}

const textsOf = (values: Sent): Params =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [[name, isSeveral(value) ? value.map((each) => textOf(each)) : textOf(value)]],
    ),
  );

import { answer, type Call, type Handler, type Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { died, wrongParameters } from '../refusal.ts';
import { aliasIn, normalNetwork } from './addresses.ts';
import { mustBeUnchanged } from './digest-check.ts';
import { digestOf, shown, withDigest, type FirewallFile, type IpSet, type Row } from './file.ts';
import type { Scope } from './scope.ts';

const setRows = ({ ipsets }: FirewallFile): readonly Row[] =>
  [...ipsets]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { comment }]) => ({ name, comment: comment === '' ? undefined : comment }));

const entryRows = ({ entries }: IpSet): readonly Row[] =>
  entries
    .toSorted((one, other) => (one.cidr < other.cidr ? -1 : 1))
    .map(({ cidr, nomatch, comment }) => ({
      cidr,
      nomatch: nomatch ? 1 : undefined,
      comment: comment === '' ? undefined : comment,
    }));

function setNamed(call: Call, { ipsets }: FirewallFile): IpSet {
  const name = call.text('name') ?? '';
  const set = ipsets.get(name);
  if (set === undefined) throw died(`no such IPSet '${name}'`);
  return set;
}

/** Calls for the sets of addresses of one place. */
export function ipsetRoutes({ path, read, write, lock }: Scope): Routes {
  const changing =
    (change: (call: Call, file: FirewallFile) => void): Handler =>
    (call) =>
      changingFile(call, lock(call), undefined, () => {
        change(call, write(call));
        return answer(null);
      });
  return {
    [`GET ${path}/ipset`]: (call) => answer(withDigest(setRows(read(call)))),
    [`POST ${path}/ipset`]: changing(createSet),
    [`GET ${path}/ipset/{name}`]: (call) => answer(withDigest(entryRows(setNamed(call, read(call))))),
    [`POST ${path}/ipset/{name}`]: changing(addEntry),
    [`DELETE ${path}/ipset/{name}`]: changing(deleteSet),
    [`GET ${path}/ipset/{name}/{cidr}`]: (call) => {
      const rows = entryRows(setNamed(call, read(call)));
      const row = rows.find(({ cidr }) => cidr === call.text('cidr'));
      if (row === undefined) throw wrongParameters({ cidr: 'no such IP/Network' });
      return answer({ ...shown(row), digest: digestOf(rows) });
    },
    [`PUT ${path}/ipset/{name}/{cidr}`]: changing(updateEntry),
    [`DELETE ${path}/ipset/{name}/{cidr}`]: changing((call, file) => {
      const set = setNamed(call, file);
      mustBeUnchanged(call, digestOf(entryRows(set)));
      set.entries = set.entries.filter(({ cidr }) => cidr !== call.text('cidr'));
    }),
  };
}

function createSet(call: Call, file: FirewallFile): void {
  const { ipsets } = file;
  const [name, rename, comment] = [call.text('name') ?? '', call.text('rename'), call.text('comment')];
  if (rename === undefined) {
    if (ipsets.has(name)) throw wrongParameters({ name: `IPSet '${name}' already exists` });
    ipsets.set(name, { comment, entries: [] });
    return;
  }
  mustBeUnchanged(call, digestOf(setRows(file)));
  const set = ipsets.get(rename);
  if (set === undefined) throw wrongParameters({ name: `IPSet '${rename}' does not exist` });
  if (name !== rename && ipsets.has(name)) throw wrongParameters({ name: `IPSet '${name}' does already exist` });
  ipsets.delete(rename);
  ipsets.set(name, comment === undefined ? set : { ...set, comment });
}

function deleteSet(call: Call, file: FirewallFile): void {
  const name = call.text('name') ?? '';
  if (setNamed(call, file).entries.length > 0 && !call.flag('force')) throw died(`IPSet '${name}' is not empty`);
  file.ipsets.delete(name);
}

function addEntry(call: Call, file: FirewallFile): void {
  const set = setNamed(call, file);
  const given = call.text('cidr') ?? '';
  const alias = aliasIn(given);
  const known = (name: string): boolean => file.aliases.has(name) || call.datacenter.firewall.cluster.aliases.has(name);
  if (alias !== undefined && !known(alias.name)) throw died(`no such alias '${given.replace(/^(guest|dc)\//, '')}'`);
  const cidr = alias === undefined ? normalNetwork(given) : given;
  if (set.entries.some((entry) => entry.cidr === cidr))
    throw wrongParameters({ cidr: `address '${cidr}' already exists` });
  if (/\/0+$/.test(cidr)) throw wrongParameters({ cidr: 'a zero prefix is not allowed in ipset entries' });
  set.entries.push({ cidr, nomatch: call.flag('nomatch'), comment: call.text('comment') });
}

function updateEntry(call: Call, file: FirewallFile): void {
  const set = setNamed(call, file);
  mustBeUnchanged(call, digestOf(entryRows(set)));
  const entry = set.entries.find(({ cidr }) => cidr === call.text('cidr'));
  if (entry === undefined) throw wrongParameters({ cidr: 'no such IP/Network' });
  entry.nomatch = call.flag('nomatch');
  entry.comment = call.text('comment');
}

import { answer, type Call, type Handler, type Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { wrongParameters } from '../refusal.ts';
import { ipVersionOf, normalNetwork } from './addresses.ts';
import { mustBeUnchanged } from './digest-check.ts';
import { digestOf, shown, withDigest, type Alias, type FirewallFile, type Row } from './file.ts';
import type { Scope } from './scope.ts';

const rowOf = ({ name, cidr, comment }: Alias): Row => ({
  name,
  cidr,
  comment: comment === '' ? undefined : comment,
  ipversion: ipVersionOf(cidr),
});

const rowsOf = ({ aliases }: FirewallFile): readonly Row[] =>
  [...aliases].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, alias]) => rowOf(alias));

const keyOf = (call: Call): string => (call.text('name') ?? '').toLowerCase();

const given = (call: Call, name: string): Alias => ({
  name,
  cidr: normalNetwork(call.text('cidr') ?? ''),
  comment: call.text('comment'),
});

/** Calls for the names of addresses of one place. */
export function aliasRoutes({ path, read, write, lock }: Scope): Routes {
  const changing =
    (change: (call: Call, file: FirewallFile) => void): Handler =>
    (call) =>
      changingFile(call, lock(call), undefined, () => {
        change(call, write(call));
        return answer(null);
      });
  return {
    [`GET ${path}/aliases`]: (call) => answer(withDigest(rowsOf(read(call)))),
    [`POST ${path}/aliases`]: changing((call, { aliases }) => {
      const name = call.text('name') ?? '';
      if (aliases.has(keyOf(call))) throw wrongParameters({ name: `alias '${name}' already exists` });
      aliases.set(keyOf(call), given(call, name));
    }),
    [`GET ${path}/aliases/{name}`]: (call) => {
      const alias = read(call).aliases.get(keyOf(call));
      if (alias === undefined) throw wrongParameters({ name: 'no such alias' });
      return answer(shown(rowOf(alias)));
    },
    [`PUT ${path}/aliases/{name}`]: changing(updateAlias),
    // One that is not there is gone already.
    [`DELETE ${path}/aliases/{name}`]: changing((call, file) => {
      mustBeUnchanged(call, digestOf(rowsOf(file)));
      file.aliases.delete(keyOf(call));
    }),
  };
}

function updateAlias(call: Call, file: FirewallFile): void {
  mustBeUnchanged(call, digestOf(rowsOf(file)));
  const { aliases } = file;
  const before = aliases.get(keyOf(call));
  if (before === undefined) throw wrongParameters({ name: 'no such alias' });
  const rename = call.text('rename');
  const key = rename?.toLowerCase() ?? keyOf(call);
  if (key !== keyOf(call) && aliases.has(key)) throw wrongParameters({ name: `alias '${rename}' already exists` });
  aliases.delete(keyOf(call));
  aliases.set(key, given(call, rename ?? before.name));
}

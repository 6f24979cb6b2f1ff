import { answer, type Call, type Handler, type Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { died } from '../refusal.ts';
import { mustBeUnchanged } from './digest-check.ts';
import { digestOf, shown, withDigest, type FirewallFile, type Rule } from './file.ts';
import { fillRule, mustBeRight, ruleRow, stripRule, type Neighbourhood, type RuleHome } from './rule.ts';

/** A list of rules somewhere in a file. */
export type RuleList = {
  readonly home: RuleHome;
  readonly file: (call: Call, writes: boolean) => FirewallFile;
  readonly get: (call: Call, file: FirewallFile) => Rule[];
  readonly set: (call: Call, file: FirewallFile, rules: Rule[]) => void;
  readonly lock: (call: Call) => string;
};

const neighbours = ({ datacenter }: Call, own: FirewallFile, { home }: RuleList): Neighbourhood => ({
  cluster: datacenter.firewall.cluster,
  own,
  home,
});

function rowsOf(call: Call, list: RuleList) {
  const file = list.file(call, false);
  return list.get(call, file).map((rule) => ruleRow(rule, neighbours(call, file, list)));
}

/** Calls for the rules at a path. */
export const ruleRoutes = (path: string, list: RuleList): Routes => ({
  [`GET ${path}`]: (call) => answer(withDigest(rowsOf(call, list)).map((row, pos) => ({ ...row, pos }))),
  [`POST ${path}`]: changing(list, (call, file) => {
    const rule: Rule = new Map();
    fillRule(rule, call.text);
    mustBeRight(rule, neighbours(call, file, list));
    if (!rule.has('enable')) rule.set('enable', '0');
    // Where it should stand is among the parameters, and nobody looks at it.
    list.set(call, file, [rule, ...list.get(call, file)]);
  }),
  [`GET ${path}/{pos}`]: (call) => {
    const rows = rowsOf(call, list);
    const row = rows[Number(call.text('pos'))];
    if (row === undefined) throw died(`no rule at position ${call.text('pos')}`);
    return answer({ ...shown(row), digest: digestOf(rows), pos: call.text('pos') });
  },
  [`PUT ${path}/{pos}`]: changing(list, (call, file) => {
    const { rules, at, rule } = ruleAt(call, list, file);
    const moveTo = call.number('moveto');
    if (moveTo !== undefined && moveTo !== at) return list.set(call, file, moved(rules, at, moveTo));
    const changed: Rule = new Map(rule);
    fillRule(changed, call.text);
    stripRule(changed, call.list('delete'));
    mustBeRight(changed, neighbours(call, file, list));
    list.set(call, file, rules.with(at, changed));
  }),
  [`DELETE ${path}/{pos}`]: changing(list, (call, file) => {
    const { rules, at } = ruleAt(call, list, file);
    list.set(call, file, rules.toSpliced(at, 1));
  }),
});

function changing(list: RuleList, change: (call: Call, file: FirewallFile) => void): Handler {
  return (call) =>
    changingFile(call, list.lock(call), undefined, () => {
      change(call, list.file(call, true));
      return answer(null);
    });
}

function ruleAt(call: Call, list: RuleList, file: FirewallFile) {
  mustBeUnchanged(call, digestOf(rowsOf(call, list)));
  const rules = list.get(call, file);
  const at = Number(call.text('pos'));
  const rule = rules[at];
  if (rule === undefined) throw died(`no rule at position ${call.text('pos')}`);
  return { rules, at, rule };
}

/** In front of the rule that stands at that position now. */
function moved(rules: readonly Rule[], at: number, to: number): Rule[] {
  const rule = rules[at] as Rule;
  const before = rules.flatMap((each, index) => (index === at ? [] : index === to ? [rule, each] : [each]));
  return to >= rules.length ? [...before, rule] : before;
}

import { wordsOf } from '../fields/words.ts';
import type { Values } from '../reading.ts';
import { numberAt, textAt, textsAt } from './report.ts';

const choices: readonly (readonly [key: string, words: readonly string[], fault: string])[] = [
  ['mode', wordsOf['nethelpers.BondMode'] ?? [], 'invalid bond type'],
  ['xmitHashPolicy', wordsOf['nethelpers.BondXmitHashPolicy'] ?? [], 'invalid xmit hash policy'],
  ['lacpRate', wordsOf['nethelpers.LACPRate'] ?? [], 'invalid lacp rate'],
  ['arpValidate', wordsOf['nethelpers.ARPValidate'] ?? [], 'invalid arp_validate mode'],
  ['arpAllTargets', wordsOf['nethelpers.ARPAllTargets'] ?? [], 'invalid arp_all_targets mode'],
  ['primaryReselect', wordsOf['nethelpers.PrimaryReselect'] ?? [], 'invalid primary_reselect mode'],
  ['failOverMac', ['none', 'active', 'follow'], 'invalid fail_over_mac value'],
  ['adSelect', wordsOf['nethelpers.ADSelect'] ?? [], 'invalid ad_select mode'],
];

/** Rules for `bond` of an interface. A mode that is none counts as the first of all. */
export function bondFaults(bond: Values | undefined): readonly string[] {
  if (bond === undefined) return [];
  const given = textAt(bond, 'mode');
  const mode = (wordsOf['nethelpers.BondMode'] ?? []).includes(given) ? given : 'balance-rr';
  const is = (...modes: readonly string[]): boolean => modes.includes(mode);
  const [lacp, balancing] = [is('802.3ad'), is('balance-alb', 'balance-tlb')];
  const more = (key: string, than = 0): boolean => numberAt(bond, key) > than;
  const rules: readonly (readonly [boolean, string])[] = [
    ...delayRules(bond),
    [textsAt(bond, 'arpIPTarget').length > 0, 'bond.arpIPTarget is not supported'],
    [textAt(bond, 'lacpRate') !== '' && !lacp, 'bond.lacpRate is only available in 802.3ad mode'],
    [textAt(bond, 'adActorSystem') !== '', 'bond.adActorSystem is not supported'],
    [(lacp || balancing) && textAt(bond, 'arpValidate') !== '', `bond.arpValidate is not available in ${mode} mode`],
    [
      !is('active-backup') && !balancing && textAt(bond, 'primary') !== '',
      `bond.primary is not available in ${mode} mode`,
    ],
    [(lacp || balancing) && more('arpInterval'), `bond.arpInterval is not available in ${mode} mode`],
    [!is('balance-rr') && more('packetsPerSlave', 1), `bond.packetsPerSlave is not available in ${mode} mode`],
    [!balancing && more('tlbDynamicLb'), `bond.tlbDynamicTLB is not available in ${mode} mode`],
    [!lacp && more('adActorSysPrio'), 'bond.adActorSysPrio is only available in 802.3ad mode'],
    [!lacp && more('adUserPortKey'), 'bond.adUserPortKey is only available in 802.3ad mode'],
  ];
  return [...choiceFaults(bond), ...rules.filter(([broken]) => broken).map(([, words]) => words)];
}

const choiceFaults = (bond: Values): readonly string[] =>
  choices.flatMap(([key, words, fault]) => {
    const text = textAt(bond, key);
    return text === '' || words.includes(text) ? [] : [`${fault} ${text}`];
  });

function delayRules(bond: Values): readonly (readonly [boolean, string])[] {
  const every = numberAt(bond, 'miimon');
  return (['updelay', 'downdelay'] as const).map((key) => {
    const name = key === 'updelay' ? 'bond.upDelay' : 'bond.downDelay';
    const delay = numberAt(bond, key);
    return every === 0
      ? [delay !== 0, `${name} can't be set if miiMon is zero`]
      : [delay % every !== 0, `${name} should be a multiple of miiMon`];
  });
}

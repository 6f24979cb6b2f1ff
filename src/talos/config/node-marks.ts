import { sortedEntries } from './cluster-intent.ts';
import type { Fields } from './document.ts';
import type { NodeIntent, Taint } from './intent.ts';
import { outsideLoadBalancers } from './kubernetes-defaults.ts';

/** Control planes that take no workloads serve no traffic from outside either. */
export const labelsOf = ({ role, schedulable, labels }: NodeIntent): Fields =>
  Object.fromEntries(
    sortedEntries({ ...(role === 'control-plane' && !schedulable ? { [outsideLoadBalancers]: '' } : {}), ...labels }),
  );

export const annotationsOf = ({ annotations }: NodeIntent): Fields => Object.fromEntries(sortedEntries(annotations));

/** Talos holds one taint per key, as value:Effect. */
export const taintsText = (taints: readonly Taint[]): Fields =>
  Object.fromEntries(
    sortedEntries(
      Object.fromEntries(taints.map(({ key, value, effect }) => [key, value === '' ? effect : `${value}:${effect}`])),
    ),
  );

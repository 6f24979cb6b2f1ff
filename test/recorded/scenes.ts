import type { TwinDurations } from '../../src/lab/talos/twin.ts';
import type { NodeName } from './stage.ts';
import type { Row } from './rows.ts';

/** Rows that change what they meet: replayed in order, in a lab of their own. */
export type Scene = {
  readonly cases: readonly string[];
  readonly nodes: readonly NodeName[];
  readonly state: Row['state'];
  /** The node that rows about an unconfigured or a third machine mean. */
  readonly unconfigured?: NodeName;
  /** A stream that is open while the rows run: its row is judged at the end. */
  readonly watching?: readonly { readonly case: string; readonly on: NodeName }[];
  /** Milliseconds before each row. */
  readonly pauses?: readonly number[];
  /** Rows that are not answered before a later one. */
  readonly waiting?: readonly string[];
  /** Part of the name of images that no registry has. */
  readonly missing?: string;
  /** Of the lab: what must last while something else is asked. */
  readonly durations?: Partial<TwinDurations>;
  /** Asked before anything is watched or judged. */
  readonly first?: string;
};

const all: readonly NodeName[] = ['cp1', 'cp2', 'worker'];

export const scenes: readonly Scene[] = [
  { cases: ['m-apply-partial', 'm-apply-partial2', 'm-apply-try-partial'], nodes: ['cp1'], state: 'maintenance' },
  {
    cases: ['m-apply-cp', 'm-apply-cp-again'],
    nodes: ['cp1'],
    state: 'maintenance',
    watching: [{ case: 'm-events-during-apply', on: 'cp1' }],
  },
  { cases: ['m-apply-worker-default-mode'], nodes: ['worker'], state: 'maintenance', unconfigured: 'worker' },
  { cases: ['m-apply-worker-unreach'], nodes: ['worker'], state: 'maintenance', unconfigured: 'worker' },
  { cases: ['m-apply-cp2'], nodes: ['cp2'], state: 'maintenance', unconfigured: 'cp2' },
  {
    cases: ['m-apply-cp3-staged', 'm-apply-cp3-try', 'm-apply-cp3'],
    nodes: ['cp3'],
    state: 'maintenance',
    unconfigured: 'cp3',
  },
  { cases: ['m-apply-cp3b'], nodes: ['cp3'], state: 'maintenance', unconfigured: 'cp3' },
  { cases: ['c-bootstrap-recover-nosnap'], nodes: ['cp1'], state: 'configured' },
  {
    cases: [
      'c-memberlist-prebootstrap-120s',
      'b-bootstrap',
      'b-bootstrap-again-0s',
      'b-memberlist-0s',
      'b-bootstrap-again-2s',
    ],
    nodes: ['cp1'],
    state: 'configured',
    durations: { etcdStart: 600 },
    waiting: ['c-memberlist-prebootstrap-120s'],
    first: 'c-bootstrap-recover-nosnap',
    pauses: [0, 0, 220],
    watching: [
      { case: 'b-events-bootstrap', on: 'cp1' },
      { case: 'b-watch-svc', on: 'cp1' },
    ],
  },
  {
    cases: ['cp3-bootstrap-early', 'cp3-bootstrap-repeat', 'cp3-start-etcd', 'cp3-memberlist'],
    pauses: [0, 20, 390, 200],
    nodes: ['cp3'],
    state: 'configured',
    unconfigured: 'cp3',
    durations: { etcdStart: 600 },
  },
  {
    cases: ['cp3b-recover-early', 'cp3b-bootstrap-bad-snapshot', 'cp3b-bootstrap-after-failed-recover', 'cp3b-ml'],
    nodes: ['cp3'],
    state: 'configured',
    unconfigured: 'cp3',
  },
  { cases: ['b-forfeit-leader', 'b-forfeit-again', 'cp2-forfeit-leader'], nodes: all, state: 'bootstrapped' },
  {
    cases: [
      'cp2-leave',
      'b-memberlist-after-leave',
      'cp2-memberlist-after-leave',
      'cp2-leave-again',
      'cp2-bootstrap-after-leave',
      'cp2-memberlist-split-local',
      'cp2-memberlist-split',
      'cp1-memberlist-split',
    ],
    nodes: ['cp1', 'cp2'],
    state: 'bootstrapped',
    watching: [{ case: 'cp2-events-leave', on: 'cp2' }],
  },
  {
    cases: ['cp2-apply-auto-reboot', 'cp2-apply-while-rebooting'],
    nodes: ['cp1', 'cp2'],
    state: 'bootstrapped',
    durations: { podsEnd: 500 },
    watching: [{ case: 'cp2-events-reboot', on: 'cp2' }],
  },
  { cases: ['cp2-apply-mode-reboot'], nodes: ['cp1', 'cp2'], state: 'bootstrapped' },
  { cases: ['b-remove-live-member', 'cp2-svc-removed'], nodes: ['cp1', 'cp2'], state: 'bootstrapped' },
  {
    cases: ['w-reset-graceful'],
    nodes: all,
    state: 'bootstrapped',
    watching: [{ case: 'w-events-reset', on: 'worker' }],
  },
  {
    cases: ['b-apply-certsans', 'b-apply-acceptedcas', 'b-version-acceptedca', 'b-acceptedca-via-node'],
    nodes: all,
    state: 'bootstrapped',
  },
  { cases: ['b-apply-same'], nodes: ['cp1'], state: 'bootstrapped' },
  { cases: ['b-apply-sysctl-try'], nodes: ['cp1'], state: 'bootstrapped' },
  { cases: ['b-apply-try4'], nodes: ['cp1'], state: 'bootstrapped' },
  { cases: ['b-apply-conc1', 'b-apply-conc3', 'b-apply-conc2'], nodes: ['cp1'], state: 'bootstrapped' },
  { cases: ['b-svc-restart-kubelet'], nodes: ['cp1'], state: 'bootstrapped' },
  { cases: ['b-recover-bootstrapped'], nodes: ['cp1'], state: 'bootstrapped' },
  { cases: ['b-imagepull-missing', 'b-is-pull-missing'], nodes: ['cp1'], state: 'bootstrapped', missing: 'installer' },
];

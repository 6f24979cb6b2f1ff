import { Code } from '@connectrpc/connect';
import type { Advice } from './problems.ts';

/** A status of a node, told apart by its words where one code means several things. The first row that fits counts. */
export type Refusal = Advice & { readonly status: Code; readonly words?: RegExp };

const higherRole =
  'Use a talosconfig whose certificate has the role that this needs (os:admin may do everything):\n    ichor talos talosconfig';

export const refusals: readonly Refusal[] = [
  {
    status: Code.PermissionDenied,
    words: /resource type|namespace .* is not supported/,
    code: 'talos-no-such-resource',
    recovery: 'ask',
    remedy: 'List what there is:\n    ichor talos get resourcedefinitions -n NODE',
  },
  {
    status: Code.PermissionDenied,
    words: /no request forwarding/,
    code: 'talos-no-forwarding',
    recovery: 'ask',
    remedy: 'A worker answers only for itself; ask the node at its own address.',
  },
  { status: Code.PermissionDenied, code: 'talos-not-authorized', recovery: 'ask', remedy: higherRole },
  { status: Code.Unauthenticated, code: 'talos-not-authorized', recovery: 'ask', remedy: higherRole },
  {
    status: Code.AlreadyExists,
    words: /etcd data directory is not empty/,
    code: 'talos-already-bootstrapped',
    recovery: 'ask',
    remedy: 'etcd has data there; look whether it is this cluster:\n    ichor talos etcd members -n NODE',
  },
  { status: Code.AlreadyExists, code: 'talos-already-there', recovery: 'ask', remedy: '' },
  {
    status: Code.Unknown,
    words: /etcd data directory is not empty/,
    code: 'talos-etcd-stopped',
    recovery: 'ask',
    remedy: 'Two bootstraps met, and etcd stays stopped until the node restarts:\n    ichor talos reboot -n NODE',
  },
  {
    status: Code.FailedPrecondition,
    words: /bootstrap is not available yet|time is not in sync yet|not ready for recovery yet/,
    code: 'talos-not-ready',
    recovery: 'wait',
    remedy: 'The node is still starting:\n    ichor talos services -n NODE',
  },
  {
    status: Code.FailedPrecondition,
    words: /another (?:apply configuration|installation\/upgrade)/,
    code: 'talos-busy',
    recovery: 'wait',
    remedy: 'Another change is under way on the node; wait for its end:\n    ichor talos events -n NODE',
  },
  {
    status: Code.FailedPrecondition,
    words: /node is rebooting/,
    code: 'talos-rebooting',
    recovery: 'wait',
    remedy: 'Wait until the node is back:\n    ichor talos version -n NODE',
  },
  {
    status: Code.FailedPrecondition,
    words: /container mode/,
    code: 'talos-container-mode',
    recovery: 'ask',
    remedy: 'This node runs in a container; restart or replace that instead.',
  },
  {
    status: Code.FailedPrecondition,
    words: /not installed/,
    code: 'talos-not-installed',
    recovery: 'ask',
    remedy:
      'Talos runs from its boot medium there; a configuration with an install disk installs it:\n    ichor talos apply -n NODE',
  },
  {
    status: Code.FailedPrecondition,
    words: /watch bookmark/,
    code: 'talos-watch-expired',
    recovery: 'retry',
    remedy: 'Watch again from the beginning.',
  },
  { status: Code.FailedPrecondition, code: 'talos-refused', recovery: 'ask', remedy: '' },
  {
    status: Code.Unimplemented,
    words: /only available on control plane nodes/,
    code: 'talos-control-plane-only',
    recovery: 'ask',
    remedy: 'Ask a control plane node for this.',
  },
  {
    status: Code.Unimplemented,
    words: /machine type is not set/,
    code: 'talos-not-ready',
    recovery: 'wait',
    remedy: 'The node has not loaded its configuration yet:\n    ichor talos services -n NODE',
  },
  {
    status: Code.Unimplemented,
    words: /maintenance mode/,
    code: 'talos-maintenance-only',
    recovery: 'ask',
    remedy: 'Give the node its configuration first:\n    ichor talos apply --insecure -n NODE',
  },
  {
    status: Code.Unimplemented,
    code: 'talos-too-old',
    recovery: 'ask',
    remedy: 'This version of Talos does not know the call:\n    ichor talos version -n NODE',
  },
  {
    status: Code.InvalidArgument,
    words: /can't be applied in immediate mode/,
    code: 'talos-needs-reboot',
    recovery: 'ask',
    remedy:
      'This change needs a restart; allow it, or leave it for the next one with --mode staged:\n    ichor talos apply --mode auto -n NODE',
  },
  {
    status: Code.InvalidArgument,
    words: /config not found|decod|YAML document|unknown keys|duplicate document|errors? occurred|v1alpha1/,
    code: 'talos-config-refused',
    recovery: 'ask',
    remedy: 'Correct the configuration; what would be sent is shown by:\n    ichor talos gen --dry-run',
  },
  { status: Code.InvalidArgument, code: 'talos-refused', recovery: 'ask', remedy: '' },
  {
    status: Code.Unknown,
    words: /member count|not enough started members|only one member/,
    code: 'talos-quorum',
    recovery: 'ask',
    remedy: 'etcd would lose its quorum; look at its members first:\n    ichor talos etcd members -n NODE',
  },
  {
    status: Code.Unknown,
    words: /rpc not supported for learner|etcdserver: (?:no leader|request timed out|unhealthy cluster)/,
    code: 'talos-etcd-settling',
    recovery: 'wait',
    remedy: 'etcd is still forming:\n    ichor talos etcd status -n NODE',
  },
  { status: Code.Unknown, code: 'talos-refused', recovery: 'ask', remedy: '' },
  { status: Code.NotFound, code: 'talos-not-found', recovery: 'ask', remedy: '' },
  {
    status: Code.ResourceExhausted,
    words: /larger than max/,
    code: 'talos-too-large',
    recovery: 'ask',
    remedy: 'A message to a node may have 32 MiB.',
  },
  { status: Code.ResourceExhausted, code: 'talos-busy', recovery: 'wait', remedy: '' },
  {
    status: Code.Unavailable,
    code: 'talos-unreachable',
    recovery: 'retry',
    remedy: 'The node answers, and something behind it does not:\n    ichor talos services -n NODE',
  },
  {
    status: Code.DeadlineExceeded,
    code: 'talos-no-answer',
    recovery: 'retry',
    remedy: 'Look whether the node is up, and what it does:\n    ichor talos services -n NODE',
  },
  { status: Code.Aborted, code: 'talos-connection-lost', recovery: 'retry', remedy: '' },
  { status: Code.Canceled, code: 'talos-connection-lost', recovery: 'retry', remedy: '' },
  { status: Code.Internal, code: 'talos-internal', recovery: 'ask', remedy: '' },
];

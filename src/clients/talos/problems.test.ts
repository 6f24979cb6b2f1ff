import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, test } from 'vitest';
import { Problem } from '../../model/problem.ts';
import { talosProblem } from './problems.ts';

const asked = { host: '10.0.0.5', verb: 'bootstrap' };
/** As Connect makes one from the trailers of an answer. */
const status = (code: Code, message: string): ConnectError =>
  new ConnectError(message, code, { 'grpc-status': String(code) });

describe('a refusal by its code and words', () => {
  test.each<[Code, string, string, string]>([
    [Code.PermissionDenied, 'not authorized', 'talos-not-authorized', 'ask'],
    [Code.PermissionDenied, 'write access is not allowed', 'talos-not-authorized', 'ask'],
    [Code.PermissionDenied, 'resource type "version" is not supported', 'talos-no-such-resource', 'ask'],
    [Code.PermissionDenied, 'namespace "x" is not supported', 'talos-no-such-resource', 'ask'],
    [Code.PermissionDenied, 'no request forwarding', 'talos-no-forwarding', 'ask'],
    [Code.Unauthenticated, 'invalid token', 'talos-not-authorized', 'ask'],
    [Code.AlreadyExists, 'etcd data directory is not empty', 'talos-already-bootstrapped', 'ask'],
    [Code.AlreadyExists, 'machine is already installed', 'talos-already-there', 'ask'],
    [Code.Unknown, 'etcd data directory is not empty', 'talos-etcd-stopped', 'ask'],
    [Code.FailedPrecondition, 'bootstrap is not available yet', 'talos-not-ready', 'wait'],
    [Code.FailedPrecondition, 'time is not in sync yet', 'talos-not-ready', 'wait'],
    [Code.FailedPrecondition, 'etcd service is not ready for recovery yet', 'talos-not-ready', 'wait'],
    [Code.FailedPrecondition, 'another apply configuration is already in progress', 'talos-busy', 'wait'],
    [Code.FailedPrecondition, 'another installation/upgrade is already in progress', 'talos-busy', 'wait'],
    [
      Code.FailedPrecondition,
      'configuration was already applied and node is rebooting, cannot apply more configuration changes until next reboot',
      'talos-rebooting',
      'wait',
    ],
    [Code.FailedPrecondition, 'method is not supported in container mode', 'talos-container-mode', 'ask'],
    [Code.FailedPrecondition, 'Talos is not installed', 'talos-not-installed', 'ask'],
    [Code.FailedPrecondition, 'invalid watch bookmark', 'talos-watch-expired', 'retry'],
    [Code.FailedPrecondition, 'blockdevice "sda" is in use by disk', 'talos-refused', 'ask'],
    [Code.Unimplemented, 'bootstrap is only available on control plane nodes', 'talos-control-plane-only', 'ask'],
    [Code.Unimplemented, 'machine type is not set, cannot use bootstrap API', 'talos-not-ready', 'wait'],
    [Code.Unimplemented, 'API is not implemented in maintenance mode', 'talos-maintenance-only', 'ask'],
    [Code.Unimplemented, 'unknown method Pull for service machine.ImageService', 'talos-too-old', 'ask'],
    [
      Code.InvalidArgument,
      "this config change can't be applied in immediate mode\ndiff:\n--- a",
      'talos-needs-reboot',
      'ask',
    ],
    [Code.InvalidArgument, 'config not found', 'talos-config-refused', 'ask'],
    [Code.InvalidArgument, 'crt_ttl should be positive', 'talos-refused', 'ask'],
    [Code.Unknown, 'failed to forfeit leadership: cannot forfeit leadership, only one member', 'talos-quorum', 'ask'],
    [Code.Unknown, 'etcdserver: rpc not supported for learner', 'talos-etcd-settling', 'wait'],
    [Code.Unknown, 'service "nope" not defined', 'talos-refused', 'ask'],
    [Code.NotFound, 'stat /nope: no such file or directory', 'talos-not-found', 'ask'],
    [Code.ResourceExhausted, 'grpc: received message larger than max (1 vs. 2)', 'talos-too-large', 'ask'],
    [Code.ResourceExhausted, 'meta write failed', 'talos-busy', 'wait'],
    [Code.Unavailable, 'connection error', 'talos-unreachable', 'retry'],
    [Code.DeadlineExceeded, 'context deadline exceeded', 'talos-no-answer', 'retry'],
    [Code.Aborted, '', 'talos-connection-lost', 'retry'],
    [Code.Canceled, '', 'talos-connection-lost', 'retry'],
    [Code.Internal, 'runtime error', 'talos-internal', 'ask'],
    [Code.OutOfRange, 'what is this', 'talos-refused', 'ask'],
  ])('%s %j', (code, message, expected, recovery) => {
    const problem = talosProblem(status(code, message), asked, undefined);
    expect({ code: problem.code, recovery: problem.recovery, cause: problem.cause }).toEqual({
      code: expected,
      recovery,
      cause: undefined,
    });
    expect(problem.remedy).not.toContain('NODE');
  });
});

test('a problem inside an error is the problem', () => {
  const inner = new Problem('x', 'y');
  const wrapped = new ConnectError('z', Code.Internal, undefined, undefined, inner);
  expect(talosProblem(wrapped, asked, undefined)).toBe(inner);
});

describe('no answer, by what Node calls it', () => {
  const failed = (code: string) => Object.assign(new Error('raw words'), { code });
  test.each([
    ['ECONNREFUSED', 'talos-unreachable', 'retry'],
    ['EHOSTUNREACH', 'talos-unreachable', 'retry'],
    ['ENOTFOUND', 'talos-no-address', 'ask'],
    ['ECONNRESET', 'talos-connection-lost', 'retry'],
    ['CERT_HAS_EXPIRED', 'talos-clock', 'ask'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'talos-other-name', 'ask'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'talos-other-cluster', 'ask'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'talos-no-talos', 'ask'],
    ['something new', 'talos-connection-lost', 'retry'],
  ])('%s', (code, expected, recovery) => {
    const vague = new ConnectError('vague', Code.Internal);
    const problem = talosProblem(vague, asked, failed(code));
    expect({ code: problem.code, recovery: problem.recovery }).toEqual({ code: expected, recovery });
    const caused = new ConnectError('vague', Code.Unavailable, undefined, undefined, failed(code));
    expect(talosProblem(caused, asked, undefined).code).toBe(expected);
  });
});

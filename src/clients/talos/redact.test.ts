import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sweep } from '../../../test/sweep.ts';
import { redact } from './redact.ts';

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const base64 = Buffer.from(pem).toString('base64');

describe('what a node says is shown', () => {
  test.each([
    ['etcd data directory is not empty'],
    ['service "etcd" doesn\'t support restart operation via API'],
    [
      'failed to get volume status with label "NOPE": resource VolumeStatuses.block.talos.dev(runtime/NOPE@undefined) doesn\'t exist',
    ],
    ['stat /var/lib/etcd.snapshot: no such file or directory'],
    ['etcd member count(2) is insufficient to maintain quorum if upgrade commences'],
    ['failed to remove member 7743616408337301959: etcdserver: member not found'],
    [
      'error validating installer image "example.org/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.13.9": not found',
    ],
    ['repo@sha256:376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba'],
    [
      '1 error occurred:\n\t* v1alpha1.Config: 2 errors occurred:\n\t* cluster instructions are required\n\t* unknown machine type "banana"',
    ],
    ['issuing CA key is required for controlplane nodes (.machine.ca.key)'],
    ['duplicate document v1alpha1/HostnameConfig/ is not allowed (line 417)'],
    ['error decoding document v1alpha1/UserVolumeConfig/longhorn (line 12): missing kind'],
    ['specified install disk does not exist: "/dev/disk/by-id/scsi-0QEMU_QEMU_HARDDISK_drive-scsi0"'],
    ['the actor is 3fa85f64-5717-4562-b3fc-2c963f66afa6'],
    [
      'resource type KubeletCredentialProviderConfigs is not known to EtcFileStatusController/APIServerConfigController',
    ],
    ['resource StaticPodStatuses.kubernetes.talos.dev(k8s/kube-system/kube-controller-manager-cp-1@undefined)'],
  ])('whole: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('what is the machine’s own is not', () => {
  test.each([
    [
      "this config change can't be applied in immediate mode\ndiff:\n--- a\n+++ b\n-    token: abcdef.0123456789abcdef",
      "this config change can't be applied in immediate mode\ndiff: (not shown, it holds secrets)",
    ],
    [
      `Dry run summary:\nApplied configuration without a reboot (skipped in dry-run).\nConfig diff:\n\n+ key: ${base64}`,
      'Dry run summary:\nApplied configuration without a reboot (skipped in dry-run).\nConfig diff: (not shown, it holds secrets)',
    ],
    [
      'error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:\nmachine:\n    tokn: s3cret\n    list:\n        - a: 1\n        - plain\n',
      'error decoding document /v1alpha1/ (line 1): unknown keys found during decoding:\nmachine: …\n    tokn: …\n    list: …\n        - a: …',
    ],
    [`could not parse ${pem}here`, 'could not parse (PEM)\nhere'],
    [`bad key ${base64}`, 'bad key (encoded)'],
    ['yaml: cannot unmarshal !!str `s3cretv...` into int', 'yaml: cannot unmarshal !!str `…` into int'],
    ['token abcdef.0123456789abcdef is not valid', 'token (token) is not valid'],
    ['token: hunter2', 'token: *******'],
    ['bad key QwErTyUiOpAsDfGhJkLzXcVbNmQwErTy/+zXcVbNmQwErTyUiOpAsDfGhJkLzXcV', 'bad key (encoded)'],
  ])('%j', (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  test('wherever a key stands in a text, none of it is left', () => {
    const word = fc.stringMatching(/^[a-z .:"]{0,12}$/);
    const secret = fc
      .constantFrom(32, 48, 64, 96)
      .chain((size) => fc.uint8Array({ minLength: size, maxLength: size, size: 'max' }))
      .map((bytes) => Buffer.from(bytes).toString('base64'));
    fc.assert(
      fc.property(word, secret, word, (before, key, after) => {
        expect(redact(`${before} ${key} ${after}`)).not.toContain(key.slice(4, 16));
      }),
      sweep('redacted keys', 200, 20_000),
    );
  });
});

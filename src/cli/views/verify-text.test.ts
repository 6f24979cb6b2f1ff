import { expect, test } from 'vitest';
import { plain } from '../../../test/observe/plain.ts';
import { verificationText } from './verify-text.ts';

test('what does not hold says why, and what to type', () => {
  const text = verificationText(
    {
      platform: 'prod',
      failed: 1,
      warnings: 1,
      checks: [
        { about: 'nodes', what: 'All machines are Ready nodes.', state: 'ok', why: '', remedy: '' },
        {
          about: 'etcd',
          what: 'No alarm is raised.',
          state: 'failed',
          why: '8e9e05c52164694d: NOSPACE; 91bc3c398fb3c146: NOSPACE',
          remedy: 'A full database is made smaller:\n    ichor talos etcd defrag -n 10.10.0.11',
        },
        {
          about: 'certificates',
          what: 'The certificate of kubeconfig is good for at least 30 days.',
          state: 'warning',
          why: 'it ends on 2026-12-01, in 14 days',
          remedy: 'Renew it:\n    ichor up --only prod',
        },
        {
          about: 'network',
          what: 'Cilium is ready on every node.',
          state: 'skipped',
          why: 'the API does not answer',
          remedy: '',
        },
      ],
    },
    plain,
  );
  expect(text).toBe(`\
✓ nodes         All machines are Ready nodes.
✗ etcd          No alarm is raised.
                8e9e05c52164694d: NOSPACE
                91bc3c398fb3c146: NOSPACE
                A full database is made smaller:
                    ichor talos etcd defrag -n 10.10.0.11
! certificates  The certificate of kubeconfig is good for at least 30 days.
                it ends on 2026-12-01, in 14 days
                Renew it:
                    ichor up --only prod
- network       Cilium is ready on every node. Not looked at: the API does not answer.

prod: 4 checks, 1 fine, 1 to look at soon, 1 failed, 1 skipped.
`);
});

test('on a terminal words stay whole, below where they began', () => {
  const check = {
    about: 'certificates',
    what: 'The certificate of kubeconfig is good for at least 30 days.',
    state: 'ok',
    why: 'it ends on 2027-11-18, in 364 days',
    remedy: '',
  } as const;
  const found = { platform: 'prod', failed: 0, warnings: 0, checks: [check] };
  expect(verificationText(found, { ...plain, columns: 60, interactive: true })).toBe(`\
✓ certificates  The certificate of kubeconfig is good for at
                least 30 days. (it ends on 2027-11-18, in
                364 days)

prod: 1 check, 1 fine.
`);
});

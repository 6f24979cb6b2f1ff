import { expect, test } from 'vitest';
import { platformFile } from '../../test/said.ts';
import { platformOf } from '../../test/talos-platform.ts';
import { fakeStep } from '../../test/walked.ts';
import type { PlannedStep } from '../model/plan.ts';
import { Problem } from '../model/problem.ts';
import type { Finding } from '../providers/provider.ts';
import { preflight } from './preflight.ts';
import type { EngineTools, Meant, Preview } from './run.ts';

const denied = new Problem('permissions', 'The token may not allocate VMs.');
const old = new Problem('old', 'It is an old one.', { severity: 'warning' });
const dirty = new Problem('git-dirty', 'platform.yaml is not committed.');
const create = fakeStep('cp-0');
const drain = fakeStep('w-0', { kind: 'drain' });

type Given = {
  readonly steps: readonly PlannedStep[];
  readonly intent?: 'converge' | 'destroy';
  readonly fits?: boolean;
  readonly gitops?: boolean;
};

async function found({ steps, intent = 'converge', fits = true, gitops = false }: Given) {
  const asked: string[] = [];
  const finding = (problem: Problem): Finding => ({ about: 'permissions', what: 'All is well.', problem });
  const tools = {
    provider: {
      reader: {
        check: async () => {
          asked.push('provider');
          return [finding(old), finding(denied)];
        },
      },
    },
    gitClean: async () => {
      asked.push('git');
      return dirty;
    },
  } as unknown as EngineTools;
  const platform = platformOf(platformFile({ cluster: '{ controlPlane: { replicas: 1 }, workers: {} }' }));
  const services = gitops ? { ...platform.services, gitops: { flux: {} } } : platform.services;
  const meant = { platform: { ...platform, services } } as unknown as Meant;
  const preview = {
    plan: { intent, steps },
    proof: { fits },
    world: { machines: [], memory: {}, provider: undefined },
  } as unknown as Preview;
  const problems = await preflight(meant, preview, tools, new AbortController().signal);
  return { codes: problems.map(({ code }) => code), asked };
}

test.each<[string, Given, readonly string[]]>([
  [
    'who makes machines is told what is missing for it, and what is only worth a word',
    { steps: [create] },
    ['permissions', 'old'],
  ],
  ['who makes none need not ask the provider', { steps: [drain] }, []],
  ['what does not fit is not begun', { steps: [create], fits: false }, ['does-not-fit', 'permissions', 'old']],
  ['where Git decides, what is not committed is told', { steps: [drain], gitops: true }, ['git-dirty']],
  ['a destroy needs none of it', { steps: [create], intent: 'destroy', gitops: true }, []],
])('%s', async (_, given, codes) => {
  expect((await found(given)).codes).toEqual(codes);
});

test('nobody is asked in vain', async () => {
  expect((await found({ steps: [drain] })).asked).toEqual([]);
});

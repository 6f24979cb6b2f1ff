import { isError, Problem } from '../model/problem.ts';
import { diagnose } from './doctor.ts';
import type { Stages } from './stages.ts';
import { takenAddresses } from './taken-addresses.ts';

/** Everything that would stop a run halfway, looked at before its first write. */
export const preflight: Stages['preflight'] = async (meant, preview, tools, signal) => {
  const { plan, proof } = preview;
  if (plan.intent === 'destroy') return [];
  const { platform } = meant;
  const creates = plan.steps.some(({ step }) => step.kind === 'machine.create');
  const begins = plan.steps.some(({ step }) => step.kind === 'etcd.bootstrap');
  const [diagnosis, uncommitted, taken] = await Promise.all([
    creates && tools.provider !== undefined ? diagnose(platform, tools.provider.reader, signal) : undefined,
    platform.services.gitops === undefined ? undefined : tools.gitClean?.(signal),
    creates || begins ? takenAddresses(meant, preview, tools, signal) : [],
  ]);
  const found = (diagnosis?.findings ?? []).flatMap(({ problem }) => problem ?? []);
  return [
    ...(creates && !proof.fits ? [doesNotFit(platform.name)] : []),
    ...taken,
    ...found.filter(isError),
    ...(uncommitted === undefined ? [] : [uncommitted]),
    ...found.filter((problem) => !isError(problem)),
  ];
};

const doesNotFit = (name: string): Problem =>
  new Problem('does-not-fit', `There is no room for all machines of ${name}.`, {
    remedy: 'What is missing and where, and what would fit, the proof says:\n    ichor place',
  });

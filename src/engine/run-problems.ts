import type { Ask, Doubt, Plan } from '../model/plan.ts';
import { Problem } from '../model/problem.ts';

export const askProblem = ({ code, message, remedy }: Ask): Problem => new Problem(code, message, { remedy });

export const doubtProblem = ({ about, because, later }: Doubt): Problem =>
  later === true
    ? new Problem('not-yet', `${about} is still to come: ${because}`, {
        recovery: 'wait',
        remedy: 'Look what keeps those that it waits for, and run this again:\n    ichor status',
      })
    : new Problem('not-seen', `${about} could not be seen: ${because}`, {
        recovery: 'wait',
        remedy:
          'Nothing was concluded from it. Look what answers, and run this again when it can be seen:\n    ichor doctor',
      });

/** A plan that was signed off, and a world in which it is another one. */
const planMoved = (differences: readonly string[], because: string): Problem =>
  new Problem('plan-moved', `${because}\n${listed(differences)}`, {
    remedy: 'Nothing more was changed. Plan again, and look at what has become of it:\n    ichor plan --out plan.json',
  });

export const savedPlanMoved = (differences: readonly string[]): Problem =>
  planMoved(differences, 'The world is not what it was when this plan was saved:');

export const beyondSavedPlan = (more: readonly string[]): Problem =>
  planMoved(more, 'What could be done of the saved plan is done, and more is to be done than it says:');

export const movedMeanwhile = (differences: readonly string[]): Problem =>
  planMoved(differences, 'The world has moved since this plan was shown:');

export const notSettling = ({ steps }: Plan, passes: number): Problem =>
  new Problem(
    'not-settling',
    `After ${passes} passes the same is still to be done, although it was done each time:\n${listed(steps.map(({ id }) => id))}`,
    { remedy: 'Something else changes it back, or it is a bug. Look at what is found there:\n    ichor diff' },
  );

export const tooManyPasses = (passes: number): Problem =>
  new Problem('not-settling', `After ${passes} passes there is still something new to do.`, {
    remedy: 'Something else changes the platform meanwhile. Look at what is found there:\n    ichor diff',
  });

export const lockLost = (where: string, who: string | undefined): Problem =>
  new Problem(
    'lock-lost',
    `The lock in ${where} was taken away from this run${who === undefined ? '' : `, and ${who} has it now`}.`,
    { remedy: 'Nothing more was begun. Look who is at work, and run this again when nobody is:\n    ichor history' },
  );

const most = 8;

function listed(lines: readonly string[]): string {
  const more = lines.length - most;
  return [...lines.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].map((line) => `  ${line}`).join('\n');
}

import { Problem } from '../model/problem.ts';
import { findLab, findLabs, type LabEntry } from './lab-folder.ts';

/** The lab of this name. */
export async function mustRun(name: string): Promise<LabEntry> {
  const entry = await findLab(name);
  if (entry !== undefined) return entry;
  const others = (await findLabs()).map((lab) => lab.name);
  throw new Problem('no-such-lab', `No lab "${name}" runs.`, {
    remedy:
      others.length === 0
        ? 'Start one:\n    ichor lab start --detach'
        : `Only ${others.join(', ')} ${others.length === 1 ? 'runs' : 'run'}:\n    ichor lab status`,
  });
}

/** Who does not say which one means the only one. `typed` is what could be typed with a name behind it. */
export async function chosenLab(
  name: string | undefined,
  typed: string,
  advice = 'Name one of them:',
): Promise<LabEntry> {
  if (name !== undefined) return mustRun(name);
  const [only, ...others] = await findLabs();
  if (only === undefined) return mustRun('lab');
  if (others.length === 0) return only;
  throw new Problem('which-lab', 'Several labs run, and none is named.', {
    remedy: `${advice}${[only, ...others].map((lab) => `\n    ${typed} --name ${lab.name}`).join('')}`,
  });
}

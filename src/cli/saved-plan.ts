import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Plan } from '../model/plan.ts';
import { Problem } from '../model/problem.ts';
import { writeWhole } from './files.ts';

const format = 1;

/** A plan that somebody may sign off and run later, and what it was asked for. */
export type SavedPlan = {
  readonly plan: Plan;
  readonly workspace: string;
  readonly target: string | undefined;
};

/** For its owner only, and whole or not there. */
export async function savePlan(path: string, { plan, workspace, target }: SavedPlan): Promise<void> {
  const { platform, intent } = plan;
  const content = { workspace, target: target ?? null, plan };
  const text = JSON.stringify(
    { kind: 'ichor-plan', format, platform, intent, digest: digestOf(content), ...content },
    null,
    2,
  );
  await writeWhole(path, `${text}\n`, 0o600);
}

const digestOf = (content: unknown): string =>
  `sha256:${createHash('sha256').update(JSON.stringify(content)).digest('hex')}`;

/** What to type for a plan in a file of this name. */
export type Making = (file: string) => string;

/** A plan may take the place of a plan, and of nothing else that somebody wrote. */
export async function mustBeForPlans(path: string, makeIn: Making): Promise<void> {
  const there = await readFile(path, 'utf8').catch(() => undefined);
  if (there === undefined || isPlan(fieldsOf(there))) return;
  throw new Problem('file-exists', `"${path}" is there and is no plan, so it is not written over.`, {
    remedy: `Save the plan under another name:\n    ${makeIn(`${path}.plan`)}`,
  });
}

type Wanted = { readonly platform: string; readonly workspace: string; readonly makeIn: Making };

/** A plan as it was saved, byte for byte in what it says; anything else is refused. */
export async function readSavedPlan(path: string, wanted: Wanted): Promise<SavedPlan> {
  const refuse = (message: string, remedy = `Make another one:\n    ${wanted.makeIn(path)}`): Problem =>
    new Problem('bad-plan', message, { remedy });
  const saved = fieldsOf(await textOf(path, refuse));
  if (!isPlan(saved))
    throw refuse(
      `"${path}" is not a plan that ichor plan --out wrote.`,
      `Make one:\n    ${wanted.makeIn(`${path}.plan`)}`,
    );
  if (saved['format'] !== format)
    throw refuse(
      `"${path}" has format ${JSON.stringify(saved['format'])}, and this version of ichor reads format ${format}.`,
    );
  const { workspace, target, plan, digest } = saved as Record<string, unknown> & { readonly plan?: Plan };
  if (plan === undefined || digest !== digestOf({ workspace, target, plan }))
    throw refuse(`"${path}" is not as it was written: its digest does not match.`);
  if (plan.platform !== wanted.platform)
    throw refuse(`"${path}" is a plan of "${plan.platform}", and the file is about "${wanted.platform}".`);
  if (workspace !== wanted.workspace)
    throw refuse(
      `"${path}" is a plan of workspace "${String(workspace)}", and this is workspace "${wanted.workspace}".`,
    );
  return { plan, workspace: wanted.workspace, target: typeof target === 'string' ? target : undefined };
}

async function textOf(path: string, refuse: (message: string) => Problem): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw refuse(code === 'ENOENT' ? `There is no "${path}".` : `"${path}" cannot be read (${code ?? String(cause)}).`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isPlan = (fields: Fields | undefined): fields is Fields => fields?.['kind'] === 'ichor-plan';

function fieldsOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

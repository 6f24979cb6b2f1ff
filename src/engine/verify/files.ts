import type { World } from '../../model/world.ts';
import { skipped, unless, type Check } from './check.ts';

/** Permission bits of a file of the store; undefined: there are none to look at. */
export type ModeOf = (path: string) => Promise<number | undefined>;

/** Files that people get are there, say what they should, and are nobody else's to read. */
export async function fileChecks(
  { artifacts, secrets }: World,
  where: string,
  modeOf: ModeOf,
): Promise<readonly Check[]> {
  const paths = [...(secrets === 'there' ? ['secrets.yaml'] : []), ...artifacts.map(({ path }) => path)];
  const modes = await Promise.all(paths.map(async (path) => ({ path, mode: await modeOf(path) })));
  const open = modes.filter(({ mode }) => mode !== undefined && (mode & 0o077) !== 0);
  const against = [
    ...(secrets === 'there' ? [] : ['secrets.yaml is not there']),
    ...artifacts
      .filter(({ standing }) => standing !== 'same')
      .map(({ path, standing }) => `${path} is ${standing === 'absent' ? 'not there' : 'other than it should be'}`),
  ];
  const alone = 'Nobody else may read them.';
  return [
    unless(
      'files',
      `The files in ${where} are there and up to date.`,
      against,
      secrets === 'there'
        ? 'Write them:\n    ichor up'
        : 'Without its secrets nobody gets into a cluster. Go to the folder that it was built in, name its --workspace, or build it:\n    ichor up',
    ),
    modes.every(({ mode }) => mode === undefined)
      ? skipped('files', alone, 'there are none')
      : unless(
          'files',
          alone,
          open.map(({ path, mode = 0 }) => `${path} has mode ${(mode & 0o777).toString(8).padStart(4, '0')}`),
          `Take the others out:\n    chmod 600 ${open.map(({ path }) => `'${where}/${path}'`).join(' ')}`,
        ),
  ];
}

import { Problem, type Position } from '../../model/problem.ts';
import type { Memory } from '../../model/world.ts';

const version = 1;

export const nothing = (platform: string): Memory => ({
  platform,
  bootstrap: undefined,
  configured: {},
  guarded: undefined,
});

/** One key a line, so that a mistake has a line. */
export const memoryText = (memory: Memory): string => `${JSON.stringify({ version, ...memory }, null, 2)}\n`;

/** Strict: what is not understood is not guessed at, because a wrong guess bootstraps a cluster twice. */
export function parseMemory(text: string, file: string): Memory {
  const fail = (what: string, key?: string): never => {
    throw broken(file, what, placeOf(text, file, key));
  };
  const read = parseJson(text, file);
  const top = isRecord(read) ? read : fail('it is no object');
  if (top['version'] !== version) {
    if (typeof top['version'] === 'number' && top['version'] > version) throw newer(file, top['version'], text);
    fail(`its version is ${JSON.stringify(top['version'])}, and not ${version}`, 'version');
  }
  const known = ['version', 'platform', 'bootstrap', 'configured', 'guarded'];
  const stranger = Object.keys(top).find((key) => !known.includes(key));
  if (stranger !== undefined) fail(`nothing is known about "${stranger}"`, stranger);
  const { platform, bootstrap, configured, guarded } = top;
  return {
    platform: isName(platform) ? platform : fail('"platform" is no name', 'platform'),
    bootstrap: bootstrap === undefined ? undefined : bootstrapOf(bootstrap, fail),
    configured: configuredOf(configured, fail),
    guarded: guarded === undefined ? undefined : isName(guarded) ? guarded : fail('"guarded" is no digest', 'guarded'),
  };
}

type Fail = (what: string, key?: string) => never;

function bootstrapOf(read: unknown, fail: Fail): NonNullable<Memory['bootstrap']> {
  const { machine, chosenAt, members, ending } = isRecord(read) ? read : fail('"bootstrap" is no object', 'bootstrap');
  return {
    machine: isName(machine) ? machine : fail('"bootstrap.machine" is no name', 'bootstrap'),
    chosenAt: isName(chosenAt) ? chosenAt : fail('"bootstrap.chosenAt" is no time', 'bootstrap'),
    ...(members === undefined
      ? {}
      : {
          members:
            Array.isArray(members) && members.every(isName)
              ? members
              : fail('"bootstrap.members" are no names', 'members'),
        }),
    ...(ending === undefined
      ? {}
      : { ending: ending === true ? ending : fail('"bootstrap.ending" is not true', 'ending') }),
  };
}

function configuredOf(read: unknown, fail: Fail): Memory['configured'] {
  const found = isRecord(read) ? read : fail('"configured" is no object', 'configured');
  return Object.fromEntries(
    Object.entries(found).map(([name, each]) => {
      const { address, role } = isRecord(each) ? each : fail(`"configured.${name}" is no object`, name);
      if (role !== 'control-plane' && role !== 'worker') return fail(`"configured.${name}.role" is no role`, name);
      return [name, { address: isName(address) ? address : fail(`"configured.${name}" has no address`, name), role }];
    }),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const offset = Number(/position (\d+)/.exec((error as Error).message)?.[1] ?? text.length);
    throw broken(file, 'it is no JSON', positionAt(text, file, offset));
  }
}

function placeOf(text: string, file: string, key: string | undefined): Position {
  const found = key === undefined ? -1 : text.indexOf(JSON.stringify(key));
  return positionAt(text, file, Math.max(0, found));
}

function positionAt(text: string, file: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1, length: 1 };
}

const broken = (file: string, what: string, at: Position): Problem =>
  new Problem('memory-broken', `"${file}" cannot be used: ${what} (line ${at.line}).`, {
    at,
    remedy: `It says which control plane the cluster was bootstrapped on, so it is never replaced silently. Put it back from a copy, or, if there is no cluster, move it away:\n    mv '${file}' '${file}.broken'`,
  });

const newer = (file: string, found: number, text: string): Problem =>
  new Problem(
    'memory-newer',
    `"${file}" was written by a newer ichor (version ${found} of the file; this one knows ${version}).`,
    { at: placeOf(text, file, 'version'), remedy: 'Use that ichor, or a newer one:\n    ichor --version' },
  );

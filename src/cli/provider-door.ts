import type { Platform } from '../engine.ts';
import { Problems, type Problem } from '../model/problem.ts';
import type { Provider } from '../providers/provider.ts';
import { problemText } from './problems.ts';
import { fetchReferences } from './references.ts';
import { readText } from './talos-target.ts';
import type { Terminal } from './terminal.ts';

/** What a provider is opened with: the platform, and what it only refers to. */
type ProviderKeys = {
  readonly secrets: ReadonlyMap<string, string>;
  readonly ca: string | undefined;
};

/** Handed in, and loaded by the first command that needs it. */
export type OpenProvider = (
  platform: Platform,
  keys: ProviderKeys,
  warn: (problem: Problem) => void,
) => Promise<Provider>;

export type ProviderDoor = { readonly terminal: () => Terminal; readonly open: OpenProvider };

/** The provider of a platform, with its secrets fetched; warnings are shown as they come, unless somebody wants them. */
export async function openProvider(
  platform: Platform,
  door: ProviderDoor,
  warn = tellPeople(door.terminal()),
): Promise<Provider> {
  return door.open(platform, await keysOf(platform), warn);
}

export const tellPeople =
  (terminal: Terminal) =>
  (problem: Problem): void =>
    terminal.err(problemText(problem, new Map(), terminal));

async function keysOf(platform: Platform): Promise<ProviderKeys> {
  const { providerNeeds } = await import('../engine/provider-access.ts');
  const { references, ca } = providerNeeds(platform);
  const [secrets, authority] = await Promise.all([
    fetchReferences(references),
    ca === undefined ? undefined : readText(ca, 'certificate authority'),
  ]);
  return { secrets, ca: authority };
}

/** For commands that work without an answer too: undefined where nobody can be asked; a secret that is missing is told. */
export async function openIfPossible(
  platform: Platform,
  door: ProviderDoor,
  told: (missing: Problem) => void,
): Promise<Provider | undefined> {
  const { hasApi } = await import('../engine/provider-access.ts');
  if (!hasApi(platform)) return undefined;
  try {
    return await openProvider(platform, door);
  } catch (error) {
    const [missing] = error instanceof Problems ? error.problems : [];
    if (missing?.code !== 'secret-missing') throw error;
    told(missing);
    return undefined;
  }
}

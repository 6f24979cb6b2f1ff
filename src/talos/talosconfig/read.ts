import { Problem, Problems } from '../../model/problem.ts';
import { clip, locate, type Path, type Tree } from '../../spec/tree.ts';
import { fromBase64 } from '../pki/pem.ts';
import { Given, openSecretFile, type Place } from '../secrets/given.ts';
import type { TalosContext, Talosconfig } from './talosconfig.ts';

const remedy = 'Take the file as talosctl or ichor wrote it.';

/** Every context that a file has; credentials are looked at when one is used. Throws Problems. */
export function readTalosconfig(text: string, file: string): Talosconfig {
  const [tree] = openSecretFile(text, file);
  if (tree === undefined) return { context: '', contexts: new Map() };
  if (tree.kind !== 'map')
    throw new Problems([new Problem('talosconfig-wrong', 'This is no talosconfig.', { at: tree.at, remedy })]);
  const given = new Given(remedy);
  const contexts = locate(tree, ['contexts']);
  const names = contexts.depth === 1 && contexts.node.kind === 'map' ? [...contexts.node.entries.keys()] : [];
  return given.settle({
    context: given.optional({ tree, path: ['context'] }) ?? '',
    contexts: new Map(names.map((name) => [name, contextAt(tree, ['contexts', name], given)])),
  });
}

function contextAt(tree: Tree, path: Path, given: Given): TalosContext {
  const at = (...steps: Path): Place => ({ tree, path: [...path, ...steps] });
  const pem = (name: string): string | undefined => fromBase64(given.optional(at(name)) ?? '');
  // Before there were several endpoints there was one target.
  const target = given.optional(at('target'));
  return {
    endpoints: [...listAt(at('endpoints'), given), ...(target === undefined ? [] : [target])],
    nodes: listAt(at('nodes'), given),
    ca: pem('ca'),
    crt: pem('crt'),
    key: pem('key'),
    ...(given.optional(at('auth', 'siderov1', 'identity')) === undefined ? {} : { omni: true }),
  };
}

function listAt(place: Place, given: Given): readonly string[] {
  const { depth, node } = locate(place.tree, place.path);
  if (depth < place.path.length || (node.kind === 'scalar' && node.value === null)) return [];
  if (node.kind === 'list') return node.items.map((_, index) => given.text({ ...place, path: [...place.path, index] }));
  given.wrong(place, 'must be a list');
  return [];
}

type Credentials = { readonly ca: string; readonly crt: string; readonly key: string };

export type ChosenContext = Credentials & {
  readonly name: string;
  readonly endpoints: readonly string[];
  readonly nodes: readonly string[];
};

/** The context of this name, or the current one, with everything that it takes to dial. Throws a Problem. */
export function chooseContext(config: Talosconfig, file: string, wanted?: string): ChosenContext {
  const name = wanted ?? config.context;
  const found = config.contexts.get(name);
  if (found === undefined) throw noContext(config, file, name);
  const { ca, crt, key, endpoints, nodes } = found;
  if (ca === undefined || crt === undefined || key === undefined) throw noCredentials(found, file, name);
  return { name, ca, crt, key, endpoints, nodes };
}

export function noContext({ contexts }: Talosconfig, file: string, name: string): Problem {
  const what = name === '' ? `No context is chosen in ${file}.` : `There is no context "${clip(name)}" in ${file}.`;
  const names = [...contexts.keys()].filter(isName);
  const have = names.length === 0 ? 'The file has none: issue one from the secrets.' : `It has: ${names.join(', ')}.`;
  return new Problem('talosconfig-context', what, { remedy: have });
}

/** In a broken file a key may stand where a name belongs. */
const isName = (text: string): boolean => text.length <= 63 && !/[A-Za-z0-9+/]{26}/.test(text);

function noCredentials(context: TalosContext, file: string, name: string): Problem {
  const missing = (['ca', 'crt', 'key'] as const).filter((part) => context[part] === undefined).join(', ');
  const message = `Context "${clip(name)}" of ${file} has no ${missing} that can be read.`;
  return new Problem('talosconfig-credentials', message, {
    remedy: context.omni
      ? 'It signs in through Omni. Take a talosconfig with a certificate of its own: omnictl talosconfig --break-glass'
      : 'Issue it again from the secrets, or take the file as talosctl wrote it.',
  });
}

import { nearest } from '../model/nearest.ts';
import { Problem } from '../model/problem.ts';
import { synonyms } from './complaint.ts';
import { kindNames, kinds, type Kind } from './kinds.ts';
import { fieldPlaces, fieldsOf, itemOf, noteFor, typeOf, valueOf, type Schema } from './schema-walk.ts';
import { parsePath, type Path, type PathStep } from './tree.ts';

/** Somewhere in the schema of a document. */
export type Place = {
  readonly kind: Kind;
  readonly schema: Schema;
  /** From the root of the document, as it was asked for; "*" stands for every name and every item. */
  readonly path: Path;
  /** The same for any document: "<name>" in a map, "[]" in a list. */
  readonly pattern: readonly string[];
};

const aliases: Readonly<Record<string, Kind>> = {
  platform: 'Platform',
  platforms: 'Platform',
  plat: 'Platform',
  substrate: 'Substrate',
  substrates: 'Substrate',
  subst: 'Substrate',
  kubernetescluster: 'KubernetesCluster',
  kubernetesclusters: 'KubernetesCluster',
  kc: 'KubernetesCluster',
  machineclass: 'MachineClass',
  machineclasses: 'MachineClass',
  mc: 'MachineClass',
  networknamespace: 'NetworkNamespace',
  networknamespaces: 'NetworkNamespace',
  nn: 'NetworkNamespace',
};

/**
 * The place that a person names, with or without the kind and `spec` in front; names in maps are skipped through.
 * Of several kinds that have it, the first of `likely` is meant.
 */
export function findPlace(written: string, likely: readonly Kind[] = []): Place {
  const steps = written === '' ? [] : parsePath(written);
  if (steps === undefined)
    throw new Problem('not-a-path', `"${written}" is not a path.`, {
      remedy: 'Write for example cluster.workers; quote names with dots: zones["example.org"].ttl',
    });
  const { kind, rest } = kindOf(steps, likely);
  const root: Place = { kind, schema: kinds[kind].document, path: [], pattern: [] };
  return rest.reduce(below, root);
}

function kindOf(steps: Path, likely: readonly Kind[]): { readonly kind: Kind; readonly rest: Path } {
  const [first] = steps;
  const named = first === undefined ? undefined : aliases[String(first).toLowerCase()];
  const rest = named === undefined ? steps : steps.slice(1);
  const path = isTopLevel(rest[0]) ? rest : ['spec', ...rest];
  const inSpec = path[1];
  const kind =
    named ??
    [...likely, ...kindNames].find((candidate) => inSpec === undefined || hasInSpec(candidate, inSpec)) ??
    likely[0] ??
    'Platform';
  return { kind, rest: path };
}

const isTopLevel = (step: PathStep | undefined): boolean =>
  step === 'spec' || step === 'metadata' || step === 'apiVersion' || step === 'kind' || step === 'status';

const hasInSpec = (kind: Kind, step: PathStep): boolean => {
  const { spec, metadata } = fieldsOf(kinds[kind].document) ?? {};
  return [spec, metadata].some((schema) => schema !== undefined && String(step) in (fieldsOf(schema) ?? {}));
};

function below(place: Place, step: PathStep): Place {
  const { schema } = place;
  const note = noteFor(schema);
  const fields = fieldsOf(schema);
  // Whatever stands there is somebody else's business.
  if (note.free === true) return { ...place, path: [...place.path, step] };
  const field = fields?.[String(step)];
  if (field !== undefined) return into(place, field, String(step), String(step));
  if (fields !== undefined) {
    const short = note.shortFor === undefined ? undefined : fields[note.shortFor];
    if (short !== undefined && note.shortFor !== undefined)
      return below(into(place, short, note.shortFor, note.shortFor), step);
    throw unknownStep(place, String(step), Object.keys(fields));
  }
  const value = typeOf(schema) === 'record' ? valueOf(schema) : undefined;
  if (value !== undefined) return into(place, value, isAny(step) ? '*' : String(step), '<name>');
  const item = itemOf(schema);
  if (item !== undefined) {
    const any = into(place, item, typeof step === 'number' ? step : '*', '[]');
    return typeof step === 'number' || isAny(step) ? any : below(any, step);
  }
  throw new Problem('unknown-path', `There is nothing below ${displayed(place)}.`, {
    remedy: `Leave ".${String(step)}" out.`,
  });
}

const into = (place: Place, schema: Schema, step: PathStep, pattern: string): Place => ({
  ...place,
  schema,
  path: [...place.path, step],
  pattern: [...place.pattern, pattern],
});

/** "*", "<pool>": any name will do. */
const isAny = (step: PathStep): boolean => step === '*' || /^<.*>$/.test(String(step));

function unknownStep(place: Place, step: string, known: readonly string[]): Problem {
  const synonym = synonyms.get(step);
  const meant = synonym !== undefined && known.includes(synonym) ? synonym : nearest(step, known);
  const [elsewhere] = fieldPlaces(kinds[place.kind].document).get(step) ?? [];
  const remedy =
    meant !== undefined
      ? `Did you mean "${meant}"?`
      : elsewhere !== undefined
        ? `Did you mean "${displayedPattern([...elsewhere, step].map((part) => (part === 'NAME' ? '<name>' : String(part))))}"?`
        : `Known there: ${known.join(', ')}.`;
  return new Problem('unknown-path', `There is no "${step}" in ${displayed(place)}.`, { remedy });
}

export const displayed = ({ kind, pattern }: Place): string => displayedPattern(pattern) || `a ${kind}`;

/** As people write it: without `spec` in front. */
export function displayedPattern(pattern: readonly string[]): string {
  const steps = pattern[0] === 'spec' ? pattern.slice(1) : pattern;
  return steps.reduce((text, step) => (step === '[]' || text === '' ? `${text}${step}` : `${text}.${step}`), '');
}

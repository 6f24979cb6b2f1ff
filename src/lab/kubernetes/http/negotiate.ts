import { notAcceptable, Refusal } from '../refusal.ts';

/** In what form somebody wants to be answered. */
export type Form = {
  readonly type: 'json' | 'yaml';
  readonly as:
    | { readonly kind: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList'; readonly version: string }
    | undefined;
};

const plain: Form = { type: 'json', as: undefined };

const all = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];

type Clause = { readonly type: string; readonly parameters: ReadonlyMap<string, string>; readonly weight: number };

/** The first form that is wanted and that we have. */
export function negotiate(accept: string | undefined, isWatch = false, isCollection = isWatch): Form {
  const clauses = clausesOf(accept ?? '');
  if (clauses.length === 0) return plain;
  let isKnown = false;
  for (const { type, parameters } of clauses) {
    const ours = ourType(type);
    if (ours === undefined) continue;
    isKnown = true;
    if (isWatch && ours === 'yaml') continue;
    const as = parameters.get('as');
    if (as === undefined) return { type: ours, as: undefined };
    const version = parameters.get('v') ?? '';
    if (parameters.get('g') !== 'meta.k8s.io' || !['v1', 'v1beta1'].includes(version)) continue;
    if (as === 'Table' || as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList')
      return { type: ours, as: { kind: as, version } };
  }
  throw isKnown ? notAcceptable(isWatch ? streams : all) : nothingFits(isCollection ? [...all, ...streams] : all);
}

/** Where objects come in no form but their own. */
export function formOfDocument(accept: string | undefined): Form['type'] {
  try {
    return negotiate(accept).type;
  } catch {
    return 'json';
  }
}

function ourType(type: string): Form['type'] | undefined {
  if (['application/json', '*/*', 'application/*'].includes(type)) return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}

export function clausesOf(accept: string): readonly Clause[] {
  const clauses = accept
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((text): Clause => {
      const [type = '', ...others] = text.split(';').map((each) => each.trim());
      const parameters = new Map(
        others.map((each) => {
          const [name = '', value = ''] = each.split('=');
          return [name, value] as const;
        }),
      );
      return { type: type.toLowerCase(), parameters, weight: Number(parameters.get('q') ?? '1') };
    });
  return clauses.toSorted((left, right) => right.weight - left.weight);
}

const nothingFits = (available: readonly string[]): Refusal => {
  const { status } = notAcceptable([]);
  const message = `406: Not Acceptable\n\nAvailable representations: ${available.join(', ')}`;
  return new Refusal({ ...status, message, details: {} });
};

/** A list was asked for as a single one, or the other way round. */
export const wrongShape = (message: string): Refusal => {
  const { status } = notAcceptable([]);
  return new Refusal({ ...status, message });
};

import { gunzipSync } from 'node:zlib';
import { at, numberAt, textAt, type Live } from '../live.ts';
import { isMapping, same, type Values } from '../values.ts';

/** What helm itself says about one revision of a release, in the secret that it keeps for it. */
export type HelmRevision = {
  readonly revision: number;
  readonly status: string;
  readonly chart: string;
  readonly version: string;
  readonly values: Values;
  /** When helm last touched it; as helm wrote it down. */
  readonly at: Date | undefined;
  readonly secret: string;
};

/** Selects the secrets of one release. */
export const releaseSelector = (name: string): string => `owner=helm,name=${name}`;

/** Reads the secret of a revision; undefined where it holds something else. */
export function revisionOf(secret: Live): HelmRevision | undefined {
  const encoded = textAt(secret, 'data', 'release');
  if (secret['type'] !== 'helm.sh/release.v1' || encoded === undefined) return undefined;
  const release = decoded(encoded);
  const revision = numberAt(release, 'version');
  if (revision === undefined) return undefined;
  const config = at(release, 'config');
  const time = new Date(textAt(release, 'info', 'last_deployed') ?? '');
  return {
    revision,
    status: textAt(release, 'info', 'status') ?? 'unknown',
    chart: textAt(release, 'chart', 'metadata', 'name') ?? '',
    version: textAt(release, 'chart', 'metadata', 'version') ?? '',
    values: isMapping(config) ? config : {},
    at: Number.isNaN(time.getTime()) ? undefined : time,
    secret: secret.metadata.name ?? '',
  };
}

/** Helm's base64 inside of the API's, around gzip around JSON. */
function decoded(encoded: string): unknown {
  try {
    const inner = Buffer.from(Buffer.from(encoded, 'base64').toString('latin1'), 'base64');
    const isZipped = inner[0] === 0x1f && inner[1] === 0x8b;
    return JSON.parse((isZipped ? gunzipSync(inner, { maxOutputLength: 64 * 1024 * 1024 }) : inner).toString());
  } catch {
    return undefined;
  }
}

/** All revisions that helm keeps, the newest first. */
export const revisionsOf = (secrets: readonly Live[]): readonly HelmRevision[] =>
  secrets
    .map(revisionOf)
    .filter((revision) => revision !== undefined)
    .toSorted((one, other) => other.revision - one.revision);

/** What an upgrade would be about; empty: nothing. */
export function upgradeReasons(
  newest: HelmRevision,
  wanted: { readonly chart: string; readonly version: string; readonly values: Values },
): readonly string[] {
  return [
    ...(newest.status === 'deployed' ? [] : [`its last revision is ${newest.status}`]),
    ...(newest.chart === wanted.chart ? [] : [`the chart is ${newest.chart}`]),
    ...(newest.version === wanted.version ? [] : [`version ${newest.version} becomes ${wanted.version}`]),
    ...changedValues(newest.values, wanted.values).map((path) => `the value ${path} changes`),
  ];
}

/** Paths of values that differ; the values themselves may be secret. */
function changedValues(from: Values, to: Values, above = ''): readonly string[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted().flatMap((key) => {
    const [one, other] = [from[key], to[key]];
    if (same(one, other)) return [];
    const path = above === '' ? key : `${above}.${key}`;
    return isMapping(one) && isMapping(other) ? changedValues(one, other, path) : [path];
  });
}

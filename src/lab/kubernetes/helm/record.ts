import { gunzipSync, gzipSync } from 'node:zlib';
import type { KubeObject } from '../../../wire/kubernetes/objects.ts';

export type Values = Readonly<Record<string, unknown>>;

type Chart = {
  readonly name: string;
  readonly version: string;
  readonly appVersion: string;
  readonly description: string;
};

/** One revision of a release, as helm itself writes it down. */
export type HelmRecord = {
  readonly name: string;
  readonly namespace: string;
  readonly version: number;
  readonly info: {
    readonly first_deployed: string;
    readonly last_deployed: string;
    readonly deleted: string;
    readonly description: string;
    readonly status: string;
    readonly notes: string;
  };
  readonly chart: {
    readonly metadata: Chart & { readonly apiVersion: 'v2'; readonly type: 'application' };
    readonly lock: null;
    readonly templates: readonly unknown[];
    readonly values: Values;
    readonly schema: null;
    readonly files: readonly unknown[];
  };
  readonly config: Values;
  readonly manifest: string;
};

const nameOf = (release: string, revision: number): string => `sh.helm.release.v1.${release}.v${revision}`;

/** The secret that holds a revision: JSON, zipped, in helm’s base64, which the API wraps into its own. */
export function secretOf(record: HelmRecord, now: Date): KubeObject {
  const { name, namespace, version, info } = record;
  const inner = gzipSync(JSON.stringify(record)).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: nameOf(name, version),
      namespace,
      labels: {
        modifiedAt: String(Math.floor(now.getTime() / 1000)),
        name,
        owner: 'helm',
        status: info.status,
        version: String(version),
      },
    },
    type: 'helm.sh/release.v1',
    data: { release: Buffer.from(inner).toString('base64') },
  };
}

/** The revision in a secret; undefined: it holds something else. */
export function recordIn(secret: KubeObject): HelmRecord | undefined {
  const { release } = (secret['data'] ?? {}) as { readonly release?: string };
  if (secret['type'] !== 'helm.sh/release.v1' || release === undefined) return undefined;
  const inner = Buffer.from(Buffer.from(release, 'base64').toString('latin1'), 'base64');
  return JSON.parse(gunzipSync(inner).toString()) as HelmRecord;
}

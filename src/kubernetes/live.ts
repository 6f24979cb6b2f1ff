import type { Manifest } from '../model/manifest.ts';

/** An object as the API server shows it: as much of it as knowledge needs. */
export type Live = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly generation?: number;
    readonly creationTimestamp?: string | null;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly {
      readonly apiVersion: string;
      readonly kind: string;
      readonly name: string;
      readonly uid: string;
      readonly controller?: boolean;
    }[];
    readonly managedFields?: readonly {
      readonly manager?: string;
      readonly operation?: string;
      readonly subresource?: string;
      readonly fieldsV1?: Readonly<Record<string, unknown>>;
    }[];
  };
  readonly [field: string]: unknown;
};

export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';

/** `Deployment kube-system/cilium-operator`, as people are told. */
export const titleOf = ({ kind, metadata: { name = '', namespace } }: Live | Manifest): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

/** What makes an object itself; its version is only a way to look at it. */
export const keyOf = ({ apiVersion, kind, metadata: { name = '', namespace = '' } }: Live | Manifest): string =>
  [groupOf(apiVersion), kind, namespace, name].join('/');

/** Looks inside of something that the API server sent: undefined where the path ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inside = value;
  for (const step of path) {
    if (typeof inside !== 'object' || inside === null) return undefined;
    inside = (inside as Readonly<Record<string | number, unknown>>)[step];
  }
  return inside;
}

export const textAt = (value: unknown, ...path: readonly (string | number)[]): string | undefined => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
};

export const numberAt = (value: unknown, ...path: readonly (string | number)[]): number | undefined => {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
};

export const listAt = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
};

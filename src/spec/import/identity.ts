import type { Part } from './foreign.ts';

const labelForm = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** A name that DNS, Kubernetes and Proxmox take, as near to the one given as can be. */
export const asLabel = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');

export const isLabel = (text: string): boolean => text.length <= 63 && labelForm.test(text);

/** An environment variable for a secret: registry, ghcr.io, password becomes REGISTRY_GHCR_IO_PASSWORD. */
export const variableName = (...words: readonly string[]): string =>
  words
    .join('_')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();

export type Identity = {
  readonly platform: string;
  /** What the cluster is called in the file, as far as that can be a name. */
  readonly cluster: string | undefined;
};

const unnamed = 'imported';

/** The platform is called what the person asks for, else what the cluster is called. */
export function identityOf(root: Part, written: Part | undefined, wanted: string | undefined): Identity {
  const given = written?.text();
  const cluster = given === undefined || asLabel(given) === '' ? undefined : asLabel(given);
  if (given !== undefined && cluster !== given)
    written?.note(
      cluster === undefined
        ? 'Not carried over: it cannot be the name of a platform.'
        : `Cannot be the name of a platform as it is: it becomes ${cluster}.`,
    );
  if (cluster === undefined && wanted === undefined)
    root.remark(`The cluster has no name here: the platform is called ${unnamed}. Choose a name with --name.`);
  return { platform: wanted ?? cluster ?? unnamed, cluster };
}

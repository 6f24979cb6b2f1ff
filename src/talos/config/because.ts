/** Reasons that are not a part of the file. */
export const talosDefault = 'Talos’ default';
export const fromBundle = 'the secrets bundle';
export const byVersion = 'cluster.kubernetes.version';

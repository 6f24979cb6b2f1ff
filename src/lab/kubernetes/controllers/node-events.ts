import type { Node } from './shapes.ts';

/** Events of nodes carry the name in place of a uid. */
export const aboutNode = ({ apiVersion, kind, metadata }: Node) => ({
  apiVersion,
  kind,
  metadata: { name: metadata.name, uid: metadata.name },
});

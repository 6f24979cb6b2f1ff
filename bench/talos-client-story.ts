/** A twin that has its configuration, and the client that reaches it: what bench/talos-client.mjs measures. */
export { aStory } from '../test/talos/story.ts';
export { openTalos } from '../src/clients/talos/node.ts';
export { secureContextOf } from '../src/clients/talos/credentials.ts';
export { startTalosLab } from '../src/lab/talos/lab.ts';
export { quickDurations } from '../src/lab/talos/node/hardware.ts';

import { conformance } from './suite.ts';
import { startTwinTarget } from './twin.ts';

/** Cases that the twin does not hold yet. */
const notYet: readonly string[] = [
  'definitions: without versions',
  'definitions: a rule that is not CEL',
  'definitions: a rule about a field that there is none of',
  'subresources: logs of a pod that is on no node are nothing',
  'namespaces: a namespace waits for the finalizers of what is in it, and says so',
];

conformance({
  name: 'the twin',
  startTimeoutMs: 30_000,
  notYet,
  start: startTwinTarget,
});

import { conformance } from './suite.ts';
import { startTwinTarget } from './twin.ts';

conformance({
  name: 'the twin',
  startTimeoutMs: 30_000,
  start: startTwinTarget,
});

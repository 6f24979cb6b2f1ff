import type { Numbers } from '../protobuf.ts';

export const eventsNumbers: Numbers = {
  Event: `
    metadata eventTime series reportingController reportingInstance action reason regarding related note type
    deprecatedSource deprecatedFirstTimestamp deprecatedLastTimestamp deprecatedCount`,
  EventSeries: 'count lastObservedTime',
};

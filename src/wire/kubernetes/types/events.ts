import type { Types } from '../notation.ts';

/** What happened, in the newer form. */
export const events: Types = {
  Event: `
    @typed
    metadata meta.ObjectMeta written
    eventTime! microtime
    series *EventSeries
    reportingController string
    reportingInstance string
    action string
    reason string
    regarding core.ObjectReference
    related *core.ObjectReference
    note string
    type string
    deprecatedSource core.EventSource
    deprecatedFirstTimestamp time
    deprecatedLastTimestamp time
    deprecatedCount int32`,
  EventList: `
    @typed
    metadata meta.ListMeta
    items! []Event`,
  EventSeries: `
    count! int32
    lastObservedTime! microtime`,
};

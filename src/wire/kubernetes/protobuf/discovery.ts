import type { Numbers } from '../protobuf.ts';

export const discoveryNumbers: Numbers = {
  Endpoint: 'addresses conditions hostname targetRef deprecatedTopology nodeName zone hints',
  EndpointConditions: 'ready serving terminating',
  EndpointHints: 'forZones forNodes',
  EndpointPort: 'name protocol port appProtocol',
  EndpointSlice: 'metadata endpoints ports addressType',
  ForNode: 'name',
  ForZone: 'name',
};

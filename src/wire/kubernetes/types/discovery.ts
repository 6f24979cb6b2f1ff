import type { Types } from '../notation.ts';

/** Where a service really is. */
export const discovery: Types = {
  AddressType: '@enum FQDN | IPv4 | IPv6',
  Endpoint: `
    addresses! []string set
    conditions EndpointConditions
    hostname *string
    targetRef *core.ObjectReference
    deprecatedTopology {}string
    nodeName *string
    zone *string
    hints *EndpointHints`,
  EndpointConditions: `
    ready *bool
    serving *bool
    terminating *bool`,
  EndpointHints: `
    forZones []ForZone atomic
    forNodes []ForNode atomic`,
  EndpointPort: `
    @atomic
    name *string
    protocol *core.Protocol
    port *int32
    appProtocol *string`,
  EndpointSlice: `
    @kind @list
    addressType! AddressType
    endpoints []Endpoint written atomic
    ports []EndpointPort written atomic`,
  ForNode: 'name! string',
  ForZone: 'name! string',
};

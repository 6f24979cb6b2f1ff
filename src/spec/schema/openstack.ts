import * as z from 'zod';
import { capacity } from './capacity.ts';
import { note } from './notes.ts';
import { address, choiceRule, cidr, foreignName, free, label, path, secret, url } from './values.ts';

const authentication = z
  .strictObject({
    url: url(['https', 'http'], 'https://keystone.example.org:5000/v3').describe('Address of Keystone.'),
    region: free('RegionOne').describe('Region of the service catalogue.').optional(),
    ca: path('./cloud-ca.pem').describe('Certificate authority of the endpoints.').optional(),
    applicationCredential: z
      .strictObject({
        id: secret().describe('Its id.'),
        secret: secret().describe('Its secret.'),
      })
      .describe('Application credential; carries its own project.'),
  })
  .describe('How to sign in without a clouds.yaml.');

const credentials = ['cloud', 'authentication', 'substrate'];

export const openstack = note(
  z.strictObject({
    cloud: free('prod').describe('Name of the cloud in clouds.yaml.').optional(),
    authentication: authentication.optional(),
    substrate: label('cloud')
      .describe('Name of the Substrate whose OpenStack this is; its outputs give the credentials.')
      .optional(),
    network: z
      .strictObject({
        external: free('public').default('public').describe('External network, for the router and floating addresses.'),
        name: free('prod').describe('Existing network to use; absent: one is made.').optional(),
        cidr: cidr().describe('Addresses of the network; absent: cluster.network.nodes.').optional(),
        nameservers: z.array(address()).max(8).default([]).describe('Name servers that DHCP hands out.'),
      })
      .prefault({})
      .describe('The network of the machines.'),
    availabilityZones: z
      .array(foreignName('nova'))
      .min(1)
      .max(32)
      .default(['nova'])
      .describe('Zones that machines are spread over; to the proof a zone is a host.'),
    capacity: capacity(),
    rootVolume: z
      .strictObject({ type: free('ssd').describe('Volume type; absent: the default one.').optional() })
      .describe('Boot from a volume instead of the flavor’s own disk.')
      .optional(),
    serverGroup: z
      .enum(['anti-affinity', 'soft-anti-affinity', 'none'])
      .default('anti-affinity')
      .describe('Policy of the control planes’ server group.'),
    loadBalancer: z
      .boolean()
      .default(false)
      .describe('Endpoint by an Octavia load balancer instead of a VIP on the nodes.'),
    floatingAddresses: z
      .enum(['none', 'endpoint', 'all'])
      .default('endpoint')
      .describe('Who gets a floating address: nobody, the Kubernetes endpoint, or every machine.'),
  }),
  { cel: [choiceRule(credentials, 'exactly one')], choice: { keys: credentials, count: 'exactly one' } },
).describe('Machines as servers of an OpenStack project.');

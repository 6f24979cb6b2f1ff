import * as z from 'zod';
import { free, hostname, integer, mapOf, namedBy, secret, url } from './values.ts';

const values = (example: string) => z.array(free(example, 4096)).min(1).max(64);

const recordSet = z.strictObject({
  A: values('10.10.0.64').describe('IPv4 addresses.').optional(),
  AAAA: values('fd00::64').describe('IPv6 addresses.').optional(),
  CNAME: values('www.example.org.').describe('The name it stands for.').optional(),
  MX: values('10 mail.example.org.').describe('Mail servers, each with its priority.').optional(),
  NS: values('ns1.example.org.').describe('Name servers of a delegated zone.').optional(),
  TXT: values('v=spf1 -all').describe('Text.').optional(),
  SRV: values('0 5 5060 sip.example.org.').describe('Services.').optional(),
  CAA: values('0 issue "letsencrypt.org"').describe('Who may issue certificates.').optional(),
  PTR: values('host.example.org.').describe('Names of an address.').optional(),
  ttl: integer(1, 2147483647).describe('Time to live in seconds; absent: the zone’s.').optional(),
});

const zone = z.strictObject({
  kind: z.enum(['Native', 'Primary']).default('Native').describe('Primary notifies secondaries.'),
  nameservers: z
    .array(hostname('ns1.example.org'))
    .max(13)
    .default([])
    .describe('Name servers in the zone’s own NS records; empty: ns1 in the zone.'),
  ttl: integer(1, 2147483647).default(3600).describe('Time to live of records, in seconds.'),
  records: mapOf(
    'a name in the zone, @ for the zone itself, or *',
    /^(@|[A-Za-z0-9_*]([A-Za-z0-9_*.-]*[A-Za-z0-9_])?)$/,
    recordSet,
    5000,
  )
    .default({})
    .describe('Records by name; services with a host get theirs by themselves.'),
});

const dns = z
  .strictObject({
    powerdns: z
      .strictObject({
        url: url(['https', 'http'], 'https://dns.example.org:8081')
          .describe('API of a PowerDNS elsewhere; absent: the catalog’s.')
          .optional(),
        apiKey: secret().describe('Key of that API.').optional(),
        zones: mapOf('a DNS name', /^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9])?)*$/, zone, 64)
          .default({})
          .describe('Zones by name.'),
      })
      .describe('Zones and records of a PowerDNS server.'),
  })
  .describe('DNS.');

const application = z.strictObject({
  redirectUrls: z
    .array(url(['https', 'http'], 'https://app.example.org/callback'))
    .min(1)
    .max(16)
    .describe('Where users come back to.'),
  launchUrl: url(['https', 'http'], 'https://app.example.org').describe('What a click on it opens.').optional(),
  groups: z.array(free('platform')).max(64).default([]).describe('Groups that may use it; empty: everybody.'),
});

const sso = z
  .strictObject({
    authentik: z
      .strictObject({
        url: url(['https', 'http'], 'https://sso.example.org')
          .describe('An authentik elsewhere; absent: the catalog’s.')
          .optional(),
        token: secret().describe('API token of that authentik.').optional(),
        applications: z
          .array(free('harbor', 63))
          .max(64)
          .default([])
          .describe('Services of the catalog that users sign in to through authentik: harbor, gitea, vault, matrix.'),
        custom: namedBy(application, 64).default({}).describe('Your own OpenID Connect applications, by name.'),
      })
      .describe('Applications of an authentik server.'),
  })
  .describe('Single sign-on.');

/** Layer 3: through the APIs of the services of layer 2. */
export const configuration = z
  .strictObject({ dns: dns.optional(), sso: sso.optional() })
  .prefault({})
  .describe('Layer 3: configuration of the services, through their APIs.');

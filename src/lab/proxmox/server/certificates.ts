import { X509Certificate } from 'node:crypto';
import type { LabClock } from '../../clock.ts';
import { makeAuthority } from '../../pki/authority.ts';
import { issuerOf, issueWithKey } from '../../pki/issue.ts';

/** A certificate with its key, as PEM, and the SHA-256 of the certificate as Proxmox shows it: upper case, with colons. */
export type Issued = { readonly crt: string; readonly key: string; readonly fingerprint: string };

const dayMs = 86_400_000;
const owner = 'Proxmox Virtual Environment';

/** Clients live by the wall’s time, hosts by the lab’s: certificates are good for both. */
function validity(clock: LabClock, days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const [lab, wall] = [clock.now().getTime(), Date.now()];
  return {
    notBefore: new Date(Math.min(lab, wall) - dayMs),
    notAfter: new Date(Math.max(lab, wall) + days * dayMs),
  };
}

const issued = (crt: string, key: string): Issued => ({
  crt,
  key,
  fingerprint: new X509Certificate(crt).fingerprint256,
});

/** pve-root-ca.pem: one for the cluster. */
export function clusterAuthority(clock: LabClock): Issued {
  const { crt, key } = makeAuthority(
    { organizations: ['PVE Cluster Manager CA'], commonName: owner },
    validity(clock, 3650),
  );
  return issued(crt, key);
}

/** pve-ssl.pem of a host. */
export function hostCertificate(authority: Issued, clock: LabClock, names: readonly string[]): Issued {
  const { crt, key } = issueWithKey(issuerOf(authority.crt, authority.key), {
    subject: { organizations: [owner], commonName: names[0] ?? '' },
    hosts: [...new Set([...names, 'localhost', '127.0.0.1', '::1'])],
    usage: ['digitalSignature'],
    purposes: ['server'],
    ...validity(clock, 730),
  });
  return issued(crt, key.export({ type: 'pkcs8', format: 'pem' }).toString());
}

import type { ProxmoxAccess, ProxmoxSettings } from '../settings.ts';

/** Why the certificate of a host is believed. */
export type Trust =
  | { readonly kind: 'system' }
  | { readonly kind: 'authority'; readonly ca: string }
  /** SHA-256 of the certificate itself: upper case, with colons. */
  | { readonly kind: 'pinned'; readonly fingerprint: string }
  | { readonly kind: 'anything' };

/** A host that serves the API. */
export type Endpoint = {
  readonly host: string;
  readonly port: number;
  /** As people know it: `pve1.example.org:8006`. */
  readonly name: string;
  readonly trust: Trust;
};

/** Where every host serves it; an endpoint may be something that stands before one. */
export const usualPort = 8006;

export function endpointsOf(settings: ProxmoxSettings, { ca }: ProxmoxAccess): readonly Endpoint[] {
  const rest: Trust = settings.tls.insecure
    ? { kind: 'anything' }
    : ca === undefined
      ? { kind: 'system' }
      : { kind: 'authority', ca };
  const first = { url: settings.endpoint, fingerprint: settings.tls.fingerprint };
  return [first, ...settings.endpoints].map(({ url, fingerprint }) =>
    endpointAt(url, fingerprint === undefined ? rest : { kind: 'pinned', fingerprint: spelled(fingerprint) }),
  );
}

function endpointAt(url: string, trust: Trust): Endpoint {
  const { hostname, port } = new URL(url);
  return addressed(hostname.replace(/^\[(.*)\]$/, '$1'), port === '' ? usualPort : Number(port), trust);
}

/** A host of the cluster at its own address. */
export const addressed = (host: string, port: number, trust: Trust): Endpoint => ({
  host,
  port,
  name: `${host.includes(':') ? `[${host}]` : host}:${port}`,
  trust,
});

/** One way to write a fingerprint, whether it came with colons or without. */
const spelled = (fingerprint: string): string =>
  (
    fingerprint
      .replace(/^sha256:/i, '')
      .replaceAll(':', '')
      .toUpperCase()
      .match(/../g) ?? []
  ).join(':');

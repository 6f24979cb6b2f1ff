export type Endpoint = { readonly host: string; readonly port: number };

const talosPort = 50_000;

/** A host, host:port or URL, as talosctl takes them; https alone means 443, everything else 50000. */
export function endpointOf(text: string): Endpoint {
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(text);
  const [, scheme, authority] = url ?? [];
  const fallback = scheme?.toLowerCase() === 'https' ? 443 : talosPort;
  return hostAndPort(authority ?? text, fallback);
}

function hostAndPort(text: string, fallback: number): Endpoint {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? text;
  return { host, port: port === undefined ? fallback : Number(port) };
}

/** The parts of a URL that validation looks at. */
export type GoUrl = {
  readonly scheme: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly path: string;
};

/** Taken apart as Go does it; a text is what is wrong with it. */
export function parseUrl(text: string): GoUrl | string {
  const fault = (words: string): string => `parse ${JSON.stringify(text)}: ${words}`;
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f]/.test(text)) return fault('net/url: invalid control character in URL');
  const plain = text.replace(/#.*$/s, '');
  const scheme = schemeOf(plain);
  if (scheme === undefined) return fault('missing protocol scheme');
  const rest = plain.slice(scheme === '' ? 0 : scheme.length + 1).replace(/\?.*$/s, '');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme: scheme.toLowerCase(), host: '', hostname: '', port: '', path: '' };
    if (/^[^/]*:/.test(rest)) return fault('first path segment in URL cannot contain colon');
  }
  const [, authority, path = ''] =
    rest.startsWith('//') && !rest.startsWith('///') ? (/^\/\/([^/]*)(.*)$/s.exec(rest) ?? []) : ['', undefined, rest];
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(path)?.[0];
  if (escape !== undefined) return fault(`invalid URL escape ${JSON.stringify(escape)}`);
  const host = (authority ?? '').replace(/^.*@/s, '');
  const bad = hostFault(host);
  if (bad !== undefined) return fault(bad);
  return { scheme: scheme.toLowerCase(), host, ...hostParts(host), path };
}

function schemeOf(text: string): string | undefined {
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (/[a-zA-Z]/.test(char)) continue;
    if (/[0-9+\-.]/.test(char)) {
      if (at === 0) return '';
    } else if (char === ':') return at === 0 ? undefined : text.slice(0, at);
    else return '';
  }
  return '';
}

function hostFault(host: string): string | undefined {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) return "missing ']' in host";
    return portFault(host.slice(end + 1));
  }
  const colon = host.lastIndexOf(':');
  if (colon !== -1) {
    const bad = portFault(host.slice(colon));
    if (bad !== undefined) return bad;
  }
  const strange = /[ <>"`{}|^\\]/.exec(host)?.[0];
  return strange === undefined ? undefined : `invalid character ${JSON.stringify(strange)} in host name`;
}

const portFault = (text: string): string | undefined =>
  /^(?::\d*)?$/.test(text) ? undefined : `invalid port ${JSON.stringify(text)} after host`;

function hostParts(host: string): { readonly hostname: string; readonly port: string } {
  const [, bracketed, bracketPort = ''] = /^\[(.*)\](?::(\d*))?$/s.exec(host) ?? [];
  if (bracketed !== undefined) return { hostname: bracketed, port: bracketPort };
  const [, hostname = host, port = ''] = /^(.*?)(?::(\d*))?$/s.exec(host) ?? [];
  return { hostname, port };
}

/** Why a text is no address of a server; undefined for one that is. */
export function endpointFault(text: string): string | undefined {
  const url = parseUrl(text);
  if (typeof url === 'string') return url;
  if (url.host.split(':').length > 3 && !/\[.*\]/.test(url.host))
    return 'IPv6 addresses MUST be enclosed by square brackets';
  if (url.hostname === '') return 'hostname must not be blank';
  if (url.port === '') return undefined;
  const port = Number(url.port);
  return port < 1 || port > 65_535 ? 'port number must be between 1 and 65535' : undefined;
}

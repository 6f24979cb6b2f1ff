import { BlockList, isIP } from 'node:net';

/** The proxy that the environment wants for an address, by the rules that Go has for that. */
export function proxyFromEnvironment(
  server: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (!URL.canParse(server)) return undefined;
  const { protocol, hostname, port } = new URL(server);
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] || env[name.toLowerCase()];
  if (proxy === undefined || proxy === '') return undefined;
  if (host === 'localhost' || isLoopback(host)) return undefined;
  const exceptions = (env['NO_PROXY'] || env['no_proxy'] || '').split(',').map((one) => one.trim().toLowerCase());
  const asked = { host, port: port || (protocol === 'https:' ? '443' : '80') };
  if (exceptions.some((one) => one !== '' && excepts(one, asked))) return undefined;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function excepts(exception: string, { host, port }: { readonly host: string; readonly port: string }): boolean {
  if (exception === '*') return true;
  const [network = '', prefix] = exception.split('/');
  if (prefix !== undefined) return isIP(network) !== 0 && isIP(host) !== 0 && inNetwork(host, network, Number(prefix));
  const [, name = exception, only] =
    /^(.*?)(?::(\d+))?$/.exec(isIP(exception) === 6 ? `${exception}:` : exception) ?? [];
  if (only !== undefined && only !== port) return false;
  if (isIP(host) !== 0) return name.replace(/^\[(.*)\]$/, '$1').replace(/:$/, '') === host;
  const suffix = name.replace(/^\*/, '');
  return suffix.startsWith('.') ? host.endsWith(suffix) : host === suffix || host.endsWith(`.${suffix}`);
}

function inNetwork(host: string, network: string, prefix: number): boolean {
  const kind = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > (kind === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, prefix, kind);
  return list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

const isLoopback = (host: string): boolean => host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

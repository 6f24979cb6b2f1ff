import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Connector } from '../../../model/connector.ts';
import { Problem } from '../../../model/problem.ts';
import { asError, connectionEnded } from './tcp.ts';

/** A connector that asks an HTTP proxy to dial, and reaches the proxy with the one that is given. */
export function throughProxy(proxy: string, connect: Connector): Connector {
  const url = proxyUrl(proxy);
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port || (secure ? 443 : 80));
  return async (target, signal) => {
    const stream = await connect({ host, port }, signal);
    try {
      const carrier = secure ? await tlsTo(stream, host, signal) : stream;
      return await askToDial(carrier, url, target, signal);
    } catch (error) {
      stream.on('error', () => undefined).destroy();
      signal.throwIfAborted();
      throw error instanceof Problem ? error : unreachable(url, error);
    }
  };
}

function proxyUrl(proxy: string): URL {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url !== undefined && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  const shown = url === undefined ? 'The proxy of the cluster' : `A proxy of the kind "${url.protocol}//"`;
  throw new Problem('kubernetes-proxy', `${shown} cannot be used; http and https can.`, {
    remedy: 'Name another one:\n    kubectl config set-cluster NAME --proxy-url http://HOST:PORT',
  });
}

function tlsTo(stream: Duplex, host: string, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ socket: stream, host, servername: host });
    const onAbort = (): void => void socket.destroy(asError(signal.reason));
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', reject).once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

function askToDial(
  stream: Duplex,
  proxy: URL,
  { host, port }: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const path = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const asked = request({
      method: 'CONNECT',
      path,
      headers: { host: path, ...authorizationOf(proxy) },
      createConnection: () => stream,
      signal,
    });
    const onClose = (): void => reject(connectionEnded());
    stream.once('close', onClose);
    asked.once('error', reject).once('response', ({ statusCode }) => reject(refused(proxy, path, statusCode ?? 0)));
    asked.once('connect', ({ statusCode }, socket: Duplex, head: Buffer) => {
      stream.off('close', onClose);
      if (statusCode !== 200) return reject(refused(proxy, path, statusCode ?? 0));
      // Nobody speaks before we do in TLS; what comes all the same is not lost.
      if (head.length > 0) socket.unshift(head);
      return resolve(socket);
    });
    asked.end();
  });
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

const refused = (proxy: URL, path: string, status: number): Problem =>
  status === 407
    ? new Problem('kubernetes-proxy', `The proxy ${proxy.host} wants to know who asks.`, {
        remedy:
          'Put the name and the password into its address:\n    kubectl config set-cluster NAME --proxy-url http://USER:PASSWORD@HOST:PORT',
      })
    : new Problem('kubernetes-proxy', `The proxy ${proxy.host} does not dial ${path}: it answers ${status}.`, {
        recovery: status >= 500 ? 'retry' : 'ask',
        remedy: `Ask whoever runs it to let ${path} through, or reach the cluster without it:\n    kubectl config unset clusters.NAME.proxy-url`,
      });

const unreachable = (proxy: URL, cause: unknown): Problem =>
  new Problem('kubernetes-proxy', `The proxy ${proxy.host} cannot be reached.`, {
    recovery: 'retry',
    remedy: `Look whether it listens:\n    curl -sv ${proxy.protocol}//${proxy.host}`,
    cause,
  });

import type { Dispatcher } from 'undici';
import { cutShort, refused, unreachable } from './problems.ts';

/** As environments name them: HTTP_PROXY, HTTPS_PROXY, NO_PROXY. */
export type Proxies = { readonly http?: string; readonly https?: string; readonly no?: string };

const usualSilenceMs = 60_000;
const mostHops = 5;

/** The bytes of a file, redirects followed. Ends with a problem when fewer come than were announced. */
export async function* download(
  url: string,
  { proxies = {}, silenceMs = usualSilenceMs }: { readonly proxies?: Proxies; readonly silenceMs?: number },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  await using asking = await askingThrough(proxies, silenceMs);
  const { headers, body } = await follow(url, (at) => asking.ask(at, signal), signal);
  const announced = Number(headers['content-length'] ?? Number.NaN);
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw cutShort(url, bytes, announced, error);
  }
  if (bytes < announced) throw cutShort(url, bytes, announced, undefined);
}

/** Looks whether a file is there, by the first byte of it: servers that make files on demand do not all answer HEAD. */
export async function tryDownload(
  url: string,
  { proxies = {}, silenceMs = usualSilenceMs }: { readonly proxies?: Proxies; readonly silenceMs?: number },
  signal: AbortSignal,
): Promise<void> {
  await using asking = await askingThrough(proxies, silenceMs);
  const { body } = await follow(url, (at) => asking.ask(at, signal, { range: 'bytes=0-0' }), signal);
  // One that does not know ranges sends all of it; nobody waits for that.
  body.on('error', () => undefined).destroy();
}

type Asking = AsyncDisposable & {
  readonly ask: (
    url: string,
    signal: AbortSignal,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Dispatcher.ResponseData>;
  readonly tell: (url: string, body: string, signal: AbortSignal) => Promise<Dispatcher.ResponseData>;
};

export async function askingThrough(proxies: Proxies, silenceMs: number): Promise<Asking> {
  // A bundled CommonJS module has no names when it is imported later, only this one.
  const { default: undici } = await import('undici');
  const patience = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
  const outside = new undici.EnvHttpProxyAgent({
    httpProxy: proxies.http ?? '',
    httpsProxy: proxies.https ?? '',
    noProxy: proxies.no ?? '',
    ...patience,
  });
  // No proxy reaches what is on this machine.
  const here = new undici.Agent(patience);
  const dispatcherFor = (url: string): Dispatcher => (isHere(url) ? here : outside);
  return {
    ask: (url, signal, headers = {}) => undici.request(url, { dispatcher: dispatcherFor(url), signal, headers }),
    tell: (url, body, signal) => undici.request(url, { dispatcher: dispatcherFor(url), signal, method: 'POST', body }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([outside.destroy(), here.destroy()]);
    },
  };
}

const isHere = (url: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

async function follow(
  url: string,
  ask: (url: string) => Promise<Dispatcher.ResponseData>,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  let at = url;
  for (let hop = 0; ; hop++) {
    const answer = await ask(at).catch((error: unknown) => {
      signal.throwIfAborted();
      throw unreachable(at, error);
    });
    const to = answer.headers['location'];
    if (answer.statusCode === 200 || answer.statusCode === 206) return answer;
    await answer.body.dump();
    const redirects = [301, 302, 303, 307, 308].includes(answer.statusCode) && typeof to === 'string' && hop < mostHops;
    if (!redirects) throw refused(at, answer.statusCode);
    at = new URL(to, at).href;
  }
}

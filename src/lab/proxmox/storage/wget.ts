import type { IncomingMessage } from 'node:http';
import { died, type Refusal } from '../refusal.ts';
import {
  isAddress,
  openUrl,
  portOf,
  redirectionOf,
  WebFailure,
  type Distrust,
  type Opened,
  type WebOptions,
} from './web.ts';
import { lengthLine, progressLines, rateText, stamp } from './wget-words.ts';

export type WgetJob = {
  readonly url: string;
  /** Where the file lies until it is whole. */
  readonly path: string;
  readonly web: WebOptions;
  readonly say: (line: string) => void;
  readonly now: () => Date;
  /** How many bytes there is room for. */
  readonly room: () => number;
  readonly take: (piece: Buffer) => void | Promise<void>;
};

const failed = (words: string): Refusal => died(`download failed: ${words}`);
const interrupted = (): Refusal => failed('received interrupt');

/** Downloads a file, and tells of it, as hosts do; the last words of a failure are its reason. */
export async function wget(job: WgetJob): Promise<void> {
  let url = new URL(job.url);
  for (let hop = 0; ; hop++) {
    job.say(`--${stamp(job.now())}--  ${url.href}`);
    const { response, distrust } = await open(job, url);
    sayConnected(job, url, response);
    if (distrust !== undefined)
      for (const line of distrustLines(url, distrust)) job.say(line.replace(/^ERROR/, 'WARNING'));
    job.say(`HTTP request sent, awaiting response... ${response.statusCode} ${response.statusMessage}`);
    const location = redirectionOf(response);
    if (location === undefined) return save(job, response);
    response.destroy();
    job.say(`Location: ${location} [following]`);
    if (hop === 19) throw failed('20 redirections exceeded.');
    url = new URL(location, url);
  }
}

async function open(job: WgetJob, url: URL): Promise<Opened> {
  try {
    return await openUrl('GET', url, job.web);
  } catch (error) {
    if (job.web.signal.aborted) throw interrupted();
    if (error instanceof WebFailure) throw unreachable(job, url, error);
    throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ENETUNREACH: 'Network is unreachable',
  ETIMEDOUT: 'Connection timed out',
};

function unreachable(job: WgetJob, url: URL, { code, distrust }: WebFailure): Refusal {
  const { hostname } = url;
  if (distrust !== undefined) {
    job.say(`Connecting to ${target(url)}... connected.`);
    const lines = distrustLines(url, distrust);
    for (const line of lines.slice(0, -1)) job.say(line);
    return failed(lines.at(-1) ?? '');
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const why = code === 'ENOTFOUND' ? 'Name or service not known' : 'Temporary failure in name resolution';
    job.say(`Resolving ${hostname} (${hostname})... failed: ${why}.`);
    return failed(`wget: unable to resolve host address '${hostname}'`);
  }
  const reason = reasons[code];
  if (reason !== undefined) return failed(`Connecting to ${target(url)}... failed: ${reason}.`);
  job.say(`Connecting to ${target(url)}... connected.`);
  return failed(code === 'ECONNRESET' ? 'exit code 4' : 'Unable to establish SSL connection.');
}

const target = (url: URL, address?: string): string => {
  const { hostname } = url;
  return isAddress(url) || address === undefined
    ? `${hostname}:${portOf(url)}`
    : `${hostname} (${hostname})|${address}|:${portOf(url)}`;
};

function sayConnected(job: WgetJob, url: URL, response: IncomingMessage): void {
  const address = response.socket.remoteAddress ?? '';
  if (!isAddress(url)) job.say(`Resolving ${url.hostname} (${url.hostname})... ${address}`);
  job.say(`Connecting to ${target(url, address)}... connected.`);
}

function distrustLines({ hostname }: URL, { issuer, otherName }: Distrust): string[] {
  return [
    ...(issuer === undefined ? [] : [`ERROR: The certificate of '${hostname}' is not trusted.`]),
    ...(issuer === 'CERT_HAS_EXPIRED' ? [`ERROR: The certificate of '${hostname}' has expired.`] : []),
    ...(issuer === undefined || issuer === 'CERT_HAS_EXPIRED'
      ? []
      : [`ERROR: The certificate of '${hostname}' doesn't have a known issuer.`]),
    ...(otherName ? [`The certificate's owner does not match hostname '${hostname}'`] : []),
  ];
}

async function save(job: WgetJob, response: IncomingMessage): Promise<void> {
  const { statusCode = 0, statusMessage = '', headers } = response;
  if (statusCode !== 200) {
    response.destroy();
    job.say(`${stamp(job.now())} ERROR ${statusCode}: ${statusMessage}.`);
    throw failed('exit code 8');
  }
  const announced = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  job.say(lengthLine(announced, headers['content-type']));
  job.say(`Saving to: '${job.path}'`);
  const started = job.now().getTime();
  const bytes = await receive(job, response);
  if (announced !== undefined && bytes < announced) throw failed('exit code 4');
  const seconds = (job.now().getTime() - started) / 1000;
  for (const line of progressLines(bytes, seconds)) job.say(line);
  const share = announced === undefined ? `${bytes}` : `${bytes}/${announced}`;
  job.say(`${stamp(job.now())} (${rateText(bytes, seconds)}) - '${job.path}' saved [${share}]`);
}

async function receive(job: WgetJob, response: IncomingMessage): Promise<number> {
  let bytes = 0;
  try {
    for await (const piece of response) {
      bytes += (piece as Buffer).length;
      if (bytes > job.room()) throw failed(`Cannot write to '${job.path}' (No space left on device).`);
      await job.take(piece as Buffer);
    }
  } catch (error) {
    response.destroy();
    if (job.web.signal.aborted) throw interrupted();
    // A server that hangs up in the middle is asked again by a real host, and again; here that is its end.
    throw error instanceof Error && 'code' in error ? failed('exit code 4') : error;
  }
  return bytes;
}

import type { IncomingMessage } from 'node:http';
import { answer, type Call, type Handler } from '../call.ts';
import { died } from '../refusal.ts';
import { openUrl, portOf, redirectionOf, WebFailure } from './web.ts';

/** Asks with HEAD, as a host does before its user interface offers a download. */
export const queryUrlMetadata: Handler = async (call) => {
  const asked = call.text('url') ?? '';
  const response = await headOf(call, new URL(asked));
  const { headers, statusCode = 0, statusMessage = '' } = response;
  response.destroy();
  if (statusCode !== 200) throw badResponse(`${statusCode} ${statusMessage}`);
  const name = fileNameOf(headers['content-disposition'], asked);
  const size = Number(headers['content-length'] ?? 0);
  const type = headers['content-type']?.split(';')[0];
  return answer({
    ...(name === undefined || name === '' ? {} : { filename: name }),
    ...(size === 0 ? {} : { size }),
    ...(type === undefined || type === '' ? {} : { mimetype: type }),
  });
};

const badResponse = (line: string) => died(`invalid server response: '${line}'`);

const longestWay = 7;

async function headOf(call: Call, first: URL): Promise<IncomingMessage> {
  const web = {
    verify: call.text('verify-certificates') !== '0',
    trust: call.datacenter.storages.trust,
    signal: call.signal,
  };
  let url = first;
  for (let hop = 0; ; hop++) {
    const { response } = await openUrl('HEAD', url, web).catch((error: unknown) => {
      throw error instanceof WebFailure ? unreachable(url, error) : error;
    });
    const location = redirectionOf(response);
    if (location === undefined || hop === longestWay) return response;
    response.destroy();
    url = new URL(location, url);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  EHOSTUNREACH: 'No route to host',
  ETIMEDOUT: 'Connection timed out',
  CERTIFICATE: 'certificate verify failed',
  ENOTFOUND: 'Name or service not known',
  EAI_AGAIN: 'Temporary failure in name resolution',
};

const unreachable = (url: URL, { code }: WebFailure) =>
  badResponse(`500 Can't connect to ${url.hostname}:${portOf(url)} (${reasons[code] ?? code})`);

const fileNameOf = (disposition: string | undefined, url: string): string | undefined =>
  /filename="([^"]*)"/.exec(disposition ?? '')?.[1] ??
  /filename=([^;]*)/.exec(disposition ?? '')?.[1] ??
  /^[^?]+\/([^?/]*)(?:\?.*)?$/.exec(url)?.[1];

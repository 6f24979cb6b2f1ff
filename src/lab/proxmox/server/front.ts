import type { Authenticated, Entry } from '../access/authenticate.ts';
import { principalName } from '../call.ts';
import type { Datacenter } from '../datacenter.ts';
import { Refusal } from '../refusal.ts';
import type { SeenRequest } from '../twin.ts';
import { contentOf } from './body.ts';
import type { Serve } from './connection.ts';
import type { Dispatch, Place } from './dispatch.ts';
import { thawed } from './dispatch.ts';
import { withFaults } from './faulty.ts';
import { refusedBy, replyOf } from './outcome.ts';
import { emptyReply, textReply } from './reply.ts';
import type { Reply } from './reply.ts';
import type { HttpRequest } from './request.ts';

export type FrontParts = {
  readonly datacenter: Datacenter;
  readonly dispatch: Dispatch;
  /** Refuses with 401 and 403. */
  readonly authenticate: (entry: Entry) => Authenticated;
  readonly log: (seen: SeenRequest) => void;
  /** Before every answer. */
  readonly latency: () => Promise<void>;
};

/** The process of a host that answers on port 8006. */
export function createFront(parts: FrontParts, place: Place): Serve {
  const { datacenter } = parts;
  const { host } = place;
  return async (request) => {
    await thawed(datacenter, host);
    if (host.state === 'dead') return undefined;
    const at = datacenter.clock.now();
    const addressed = addressOf(request);
    const seen = { who: '' };
    const { method } = request;
    const { path } = addressed;
    const reply = await datacenter.faults.during({ method, path }, () =>
      withFaults(datacenter, () =>
        answerOf(parts, place, request, addressed, seen).catch((error: unknown) =>
          replyOf(refusedBy(error), 'json', datacenter.keyOrder),
        ),
      ),
    );
    await parts.latency();
    await thawed(datacenter, host);
    parts.log({ at, host: host.name, method, path, who: seen.who, status: reply?.status ?? 0 });
    return reply;
  };
}

type Addressed = {
  /** Below the format, where there is one. */
  readonly path: string;
  readonly format: string | undefined;
  readonly isApi: boolean;
};

/** The path is decoded before anybody looks at it. */
function addressOf({ target }: HttpRequest): Addressed {
  const [raw = ''] = target.split('?');
  const path = decoded(raw);
  const [, format, rest = '/'] = /^\/api2\/+([a-z][a-z0-9]+)(\/.*)?$/s.exec(path) ?? [];
  return { path: format === undefined ? path : rest, format, isApi: path.startsWith('/api2') };
}

const decoded = (text: string): string =>
  Buffer.from(
    text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

async function answerOf(
  parts: FrontParts,
  place: Place,
  request: HttpRequest,
  { path, format, isApi }: Addressed,
  seen: { who: string },
): Promise<Reply | undefined> {
  const { datacenter } = parts;
  const { method, headers } = request;
  const encoding = headers.get('transfer-encoding');
  if (encoding !== undefined) return encodingRefused(encoding);
  if (!isApi) return textReply(500, `no such file '${path}'\n`);
  if (format === undefined) return textReply(501, 'no such uri');
  let authenticated: Authenticated;
  try {
    authenticated = parts.authenticate({ method, path, headers });
  } catch (error) {
    return await refusedEntry(datacenter, error);
  }
  seen.who = authenticated.who === undefined ? '' : principalName(authenticated.who);
  const content = await contentOf(request, path);
  if (content.kind === 'ignored') return undefined;
  if (content.kind === 'refused') return content.reply;
  if (format !== 'json' && format !== 'extjs') return textReply(501, `no formatter for uri ${path}, ${format}`);
  const { sent, upload } = content;
  delete sent['_dc'];
  const outcome = await parts.dispatch(place, { method, path, ...authenticated, sent, upload });
  if (outcome.kind === 'refused' && outcome.status === 401) await datacenter.clock.sleep(datacenter.durations.refusal);
  const reply = replyOf(outcome, format, datacenter.keyOrder);
  return upload === undefined ? reply : { ...reply, close: true };
}

const encodingRefused = (encoding: string): Reply =>
  textReply(
    501,
    encoding.toLowerCase() === 'chunked'
      ? 'chunked transfer encoding not supported'
      : `Unknown transfer encoding '${encoding}'`,
  );

/** Who is not known waits before hearing so, and hears it in the status line alone. */
async function refusedEntry({ clock, durations }: Datacenter, error: unknown): Promise<Reply> {
  if (!(error instanceof Refusal)) throw error;
  await clock.sleep(durations.refusal);
  return emptyReply(error.status, error.message);
}

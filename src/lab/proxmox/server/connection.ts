import type { Socket } from 'node:net';
import { Incoming } from './incoming.ts';
import { emptyReply, printed, textReply } from './reply.ts';
import type { Reply } from './reply.ts';
import { readHead } from './request.ts';
import type { HttpRequest } from './request.ts';

/** Undefined: the connection is closed without a word. */
export type Serve = (request: HttpRequest) => Promise<Reply | undefined>;

const usualIdleMs = 5000;
const mostRequests = 100;
const methods = new Set(['GET', 'POST', 'PUT', 'DELETE']);

/** Answers requests one after the other until one side has enough. */
export async function serveConnection(
  socket: Socket,
  serve: Serve,
  { now, idleMs = usualIdleMs }: { readonly now: () => Date; readonly idleMs?: number },
): Promise<void> {
  const incoming = new Incoming(socket);
  socket.on('error', () => socket.destroy());
  socket.on('timeout', () => socket.destroy());
  for (let left = mostRequests - 1; ; left--) {
    socket.setTimeout(idleMs);
    const head = await readHead(incoming);
    if (head.kind === 'over') return void socket.destroy();
    if (head.kind === 'ignored') return;
    if (head.kind === 'refused')
      return hangUp(socket, incoming, printed(textReply(head.status, head.reason), undefined, false, now()), idleMs);
    const { request } = head;
    socket.setTimeout(0);
    const reply = methods.has(request.method)
      ? await serve(request)
      : emptyReply(501, `method '${request.method}' not available`);
    if (reply === undefined || socket.destroyed) return void socket.destroy();
    const keepAlive = left > 0 && reply.status < 400 && reply.close !== true && staysOpen(request);
    const bytes = printed(reply, request, keepAlive, now());
    if (!keepAlive) return hangUp(socket, incoming, bytes, idleMs);
    socket.write(bytes);
  }
}

function staysOpen({ headers, version }: HttpRequest): boolean {
  const wish = headers.get('connection');
  return wish === undefined ? version !== '1.0' : !/close/i.test(wish);
}

/** Who still sends must be able to read the answer: what comes is thrown away for a while. */
async function hangUp(socket: Socket, incoming: Incoming, bytes: Buffer, idleMs: number): Promise<void> {
  socket.end(bytes);
  socket.setTimeout(idleMs);
  await incoming.drain();
  socket.destroy();
}

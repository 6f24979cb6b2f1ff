import type { Http2Session, Http2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';

// A session, or a stream of it, that goes while something that arrived is being read corrupts the memory of Node 20.

export const hangUp = (session: Http2Session, socket: Duplex): void =>
  void setImmediate(() => {
    session.destroy();
    socket.destroy();
  });

/** Node itself ends a stream there whose answer was complete before its question. */
export function endLater(stream: Http2Stream, session: Http2Session): void {
  const [close, destroy] = [stream.close.bind(stream), stream.destroy.bind(stream)];
  const afterReading = (act: () => void): void => void (session.destroyed ? act() : setImmediate(act));
  stream.close = (code, closed) => afterReading(() => close(code, closed));
  stream.destroy = (error) => {
    afterReading(() => void destroy(error));
    return stream;
  };
}

/** Writing that fails within reading would end the session there. */
export function breakLater<S extends Duplex>(socket: S): S {
  const emit = socket.emit.bind(socket) as (event: string | symbol, ...words: readonly unknown[]) => boolean;
  socket.emit = (event: string | symbol, ...words: readonly unknown[]): boolean => {
    if (event === 'error' || event === 'close') setImmediate(() => emit(event, ...words));
    else return emit(event, ...words);
    return true;
  };
  return socket;
}

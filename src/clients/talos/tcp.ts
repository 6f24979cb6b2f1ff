import { connect } from 'node:net';
import type { Connector } from '../../model/connector.ts';

/** The connector that is used when none is given. */
export const dialTcp: Connector = ({ host, port }, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({ host, port, noDelay: true });
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      socket.off('connect', onConnect);
      outcome();
    };
    const onAbort = (): void =>
      settle(() => {
        socket.on('error', () => undefined).destroy();
        reject(asError(signal.reason));
      });
    const onError = (error: Error): void => settle(() => reject(error));
    const onConnect = (): void => settle(() => resolve(socket));
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', onError).once('connect', onConnect);
  });

export const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

import { connect } from 'node:net';
import type { Connector } from '../../../model/connector.ts';

/** Silence after which the system asks whether the other end is still there. */
const keepAliveMs = 15_000;

/** The connector that is used when none is given. */
export const dialTcp: Connector = ({ host, port }, signal) =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
    const settle = (outcome: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError).off('connect', onConnect);
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

export const connectionEnded = (): Error =>
  Object.assign(new Error('the other end closed the connection'), { code: 'ECONNRESET' });

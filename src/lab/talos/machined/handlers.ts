import { applyHandlers } from './apply.ts';
import { cosiHandlers } from './cosi.ts';
import { etcdHandlers } from './etcd.ts';
import { eventHandlers } from './events.ts';
import { infoHandlers } from './info.ts';
import { logHandlers } from './logs.ts';
import type { Handler } from './call.ts';
import { serviceHandlers } from './services.ts';
import { storageHandlers } from './storage.ts';

/** What the twin answers, by full path. */
export const handlers: Readonly<Record<string, Handler>> = {
  ...applyHandlers,
  ...cosiHandlers,
  ...etcdHandlers,
  ...eventHandlers,
  ...infoHandlers,
  ...logHandlers,
  ...serviceHandlers,
  ...storageHandlers,
};

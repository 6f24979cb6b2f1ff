import { clockHandlers } from './clock.ts';
import { containerHandlers } from './containers.ts';
import { credentialHandlers } from './credentials.ts';
import { fileHandlers } from './files.ts';
import { imageHandlers } from './images.ts';
import { lifecycleHandlers } from './lifecycle.ts';
import { metaHandlers } from './meta.ts';
import { metricHandlers } from './metrics.ts';
import { powerHandlers } from './power.ts';
import { applyHandlers } from './apply.ts';
import { cosiHandlers } from './cosi.ts';
import { etcdHandlers } from './etcd.ts';
import { eventHandlers } from './events.ts';
import { healthHandlers } from './health.ts';
import { infoHandlers } from './info.ts';
import { logHandlers } from './logs.ts';
import type { Handler } from './call.ts';
import { serviceHandlers } from './services.ts';
import { storageHandlers } from './storage.ts';

/** What the twin answers, by full path. */
export const handlers: Readonly<Record<string, Handler>> = {
  ...applyHandlers,
  ...clockHandlers,
  ...containerHandlers,
  ...credentialHandlers,
  ...fileHandlers,
  ...imageHandlers,
  ...lifecycleHandlers,
  ...metaHandlers,
  ...metricHandlers,
  ...powerHandlers,
  ...cosiHandlers,
  ...etcdHandlers,
  ...eventHandlers,
  ...healthHandlers,
  ...infoHandlers,
  ...logHandlers,
  ...serviceHandlers,
  ...storageHandlers,
};

import { expect, test } from 'vitest';
import type { TalosEvent } from '../../clients/talos.ts';
import type { Terminal } from '../terminal.ts';
import { eventText } from './talos-event.ts';

const terminal: Terminal = { out: () => {}, err: () => {}, paint: (_, text) => text, columns: 80, interactive: false };
const said = { id: 'x', actor: '' };

test.each<[event: TalosEvent, text: string]>([
  [{ ...said, kind: 'sequence', sequence: 'boot', action: 'start', error: undefined }, 'a  sequence boot  start'],
  [
    { ...said, kind: 'sequence', sequence: 'boot', action: 'noop', error: 'no disk' },
    'a  sequence boot  failed: no disk',
  ],
  [{ ...said, actor: 'me', kind: 'phase', phase: 'etcd', action: 'stop' }, 'a  phase etcd  stop  me'],
  [{ ...said, kind: 'task', task: 'mount', action: 'start' }, 'a  task mount  start'],
  [
    { ...said, kind: 'service', service: 'etcd', state: 'Running', message: '', health: 'healthy' },
    'a  service etcd  Running, healthy',
  ],
  [
    {
      ...said,
      kind: 'status',
      status: { stage: 'booting', ready: false, unmet: [{ name: 'services', reason: 'etcd not running' }] },
    },
    'a  machine  booting, not ready (services: etcd not running)',
  ],
  [
    { ...said, kind: 'address', hostname: 'cp-0', addresses: ['10.0.0.1', 'fd00::1'] },
    'a  address of cp-0  10.0.0.1 fd00::1',
  ],
  [{ ...said, kind: 'restart' }, 'a  restart'],
  [{ ...said, kind: 'config-error', error: 'bad' }, 'a  configuration  bad'],
  [{ ...said, kind: 'other', type: 'machine.NewEvent' }, 'a  machine.NewEvent'],
])('%j', (event, text) => {
  expect(eventText('a', event, terminal)).toBe(text);
});

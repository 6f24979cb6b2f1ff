import { setCases } from '../kubernetes/sets.ts';
import { startKube } from './kube.ts';
import { buildTimeoutMs } from './peers.ts';

setCases('a real API server', () => startKube({ controllers: true }), buildTimeoutMs);

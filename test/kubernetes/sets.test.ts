import { setCases } from './sets.ts';
import { servedTwin, twinNode } from './twin.ts';

setCases('the twin', () => servedTwin([twinNode('cp-0', true), twinNode('w-1')], { cni: 'flannel' }), 30_000);

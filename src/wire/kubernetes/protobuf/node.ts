import type { Numbers } from '../protobuf.ts';

export const nodeNumbers: Numbers = {
  Overhead: 'podFixed',
  RuntimeClass: 'metadata handler overhead scheduling',
  Scheduling: 'nodeSelector tolerations',
};

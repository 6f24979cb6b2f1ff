import { artifactHandlers } from './artifacts.ts';
import { healthHandlers } from './cluster-health.ts';
import { controlPlaneHandlers } from './control-plane.ts';
import { etcdHandlers } from './etcd.ts';
import { imageHandlers } from './images.ts';
import { kubeletHandlers } from './kubelet.ts';
import { kubernetesHandlers } from './kubernetes.ts';
import { machineHandlers } from './machines.ts';
import { nodeHandlers } from './node-life.ts';
import { secretsHandlers } from './secrets.ts';
import { changeHandlers } from './talos-change.ts';
import { configureHandlers } from './talos-configure.ts';
import { endHandlers } from './talos-end.ts';
import { reachHandlers } from './talos-reach.ts';
import { upHandlers } from './talos-up.ts';
import type { Handlers } from './tools.ts';

/** What is done for each kind of step. */
export const handlers: Handlers = {
  ...secretsHandlers,
  ...imageHandlers,
  ...machineHandlers,
  ...reachHandlers,
  ...configureHandlers,
  ...upHandlers,
  ...changeHandlers,
  ...endHandlers,
  ...etcdHandlers,
  ...kubernetesHandlers,
  ...controlPlaneHandlers,
  ...kubeletHandlers,
  ...nodeHandlers,
  ...healthHandlers,
  ...artifactHandlers,
};

import type { Authenticator } from '../access/authenticate.ts';
import type { Authorizer } from '../access/authorize.ts';
import type { Faults } from '../faults.ts';
import type { KubernetesFault } from '../twin.ts';
import type { Cluster } from '../verbs/cluster.ts';
import type { Watches } from './watches.ts';

/** One API server: a cluster, and who may do what to it. */
export type ApiServer = {
  readonly cluster: Cluster;
  readonly authenticate: Authenticator;
  readonly authorize: Authorizer;
  readonly faults: Faults;
  readonly watches: Watches;
};

export type Struck = readonly KubernetesFault[];

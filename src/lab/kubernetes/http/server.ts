import type { IncomingMessage } from 'node:http';
import type { AccountTokens } from '../access/account-tokens.ts';
import type { Authenticator } from '../access/authenticate.ts';
import type { Authorizer } from '../access/authorize.ts';
import type { Faults } from '../faults.ts';
import type { KubernetesFault } from '../twin.ts';
import type { Cluster } from '../verbs/cluster.ts';
import type { Exchange } from './exchange.ts';
import type { RequestInfo } from './request-info.ts';
import type { Watches } from './watches.ts';

/** One API server: a cluster, and who may do what to it. */
export type ApiServer = {
  readonly cluster: Cluster;
  readonly authenticate: Authenticator;
  readonly authorize: Authorizer;
  readonly faults: Faults;
  readonly watches: Watches;
  readonly tokens: AccountTokens;
  /** Answers what is below `/openapi`; false: it is not there. */
  readonly openApi: (path: string, info: RequestInfo, request: IncomingMessage, exchange: Exchange) => boolean;
};

export type Struck = readonly KubernetesFault[];

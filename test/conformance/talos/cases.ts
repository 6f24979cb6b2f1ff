import type { Case } from './case.ts';
import { applyCases } from './cases/apply.ts';
import { configRefusedCases } from './cases/config-refused.ts';
import { containerCases } from './cases/container.ts';
import { endCases } from './cases/end.ts';
import { etcdCases } from './cases/etcd.ts';
import { eventCases } from './cases/events.ts';
import { fileCases } from './cases/files.ts';
import { generateCases } from './cases/generate.ts';
import { imageCases } from './cases/images.ts';
import { maintenanceCases } from './cases/maintenance.ts';
import { proxyCases } from './cases/proxy.ts';
import { roleCases } from './cases/roles.ts';
import { serviceCases } from './cases/services.ts';
import { stateCases } from './cases/state.ts';
import { tlsCases } from './cases/tls.ts';
import { trustdCases } from './cases/trustd.ts';
import { wireCases } from './cases/unknown.ts';
import { workerCases } from './cases/worker.ts';
import { writeCases } from './cases/writes.ts';

/** Within a stage in this order: what a stage can still change comes last. */
export const allCases: readonly Case[] = [
  ...wireCases,
  ...maintenanceCases,
  ...stateCases,
  ...eventCases,
  ...tlsCases,
  ...configRefusedCases,
  ...applyCases,
  ...writeCases,
  ...etcdCases,
  ...workerCases,
  ...proxyCases,
  ...trustdCases,
  ...generateCases,
  ...fileCases,
  ...imageCases,
  ...containerCases,
  ...roleCases,
  ...serviceCases,
  ...endCases,
];

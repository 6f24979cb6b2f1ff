import type { PveVersion } from './datacenter.ts';
import type { DatacenterOptions } from './twin.ts';

/** What each Proxmox VE that can be played says about itself. */
export const versions: Readonly<Record<NonNullable<DatacenterOptions['version']>, PveVersion>> = {
  '8.4': { version: '8.4.14', release: '8.4', repoid: 'b502d23c55afcba1', major: 8 },
  '9.2': { version: '9.2.11', release: '9.2', repoid: '14a22df3', major: 9 },
};

import type { Datacenter } from '../datacenter.ts';
import type { AccessState } from './state.ts';

/** What the rest of the data centre does not see. */
export const accessOf = ({ access }: Datacenter): AccessState => access as AccessState;

/** Lock of the file that all of this is kept in. */
export const userConfig = 'file-user_cfg';

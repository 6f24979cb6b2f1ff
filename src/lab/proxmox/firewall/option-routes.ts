import { answer, type Call, type Routes } from '../call.ts';
import { changingFile } from '../cluster/lock.ts';
import { wrongParameters } from '../refusal.ts';
import { mustBeUnchanged } from './digest-check.ts';
import { digestOf, type FirewallFile, type Row } from './file.ts';
import type { Scope } from './scope.ts';

const numbers = ['enable', 'ebtables', 'dhcp', 'ndp', 'macfilter', 'ipfilter', 'radv'];

const known: Readonly<Record<Scope['home'], readonly string[]>> = {
  cluster: ['enable', 'ebtables', 'policy_in', 'policy_out', 'policy_forward', 'log_ratelimit'],
  vm: [
    'enable',
    'dhcp',
    'ndp',
    'macfilter',
    'ipfilter',
    'radv',
    'policy_in',
    'policy_out',
    'log_level_in',
    'log_level_out',
  ],
};

/** Only what was set. */
const rowOf = ({ options }: FirewallFile): Row =>
  Object.fromEntries([...options].map(([key, value]) => [key, numbers.includes(key) ? Number(value) : value]));

const optionDigest = (file: FirewallFile): string => digestOf([rowOf(file)]);

/** Calls for the options of one place. */
export const optionRoutes = ({ path, home, read, write, lock }: Scope): Routes => ({
  [`GET ${path}/options`]: (call) => answer({ ...rowOf(read(call)), digest: optionDigest(read(call)) }),
  [`PUT ${path}/options`]: (call) =>
    changingFile(call, lock(call), undefined, () => {
      mustBeUnchanged(call, optionDigest(read(call)));
      for (const key of call.list('delete'))
        if (!known[home].includes(key)) throw wrongParameters({ delete: `no such option '${key}'` });
      const { options } = write(call);
      for (const key of call.list('delete')) options.delete(key);
      for (const key of known[home]) {
        const value = call.text(key);
        if (value !== undefined) options.set(key, key === 'enable' ? enabled(call, home, value) : value);
      }
      return answer(null);
    }),
});

/** More than one on the cluster is the moment since which it is on, so that who is locked out can be let in again. */
function enabled({ datacenter }: Call, home: Scope['home'], value: string): string {
  if (Number(value) <= 1) return value;
  return home === 'vm' ? '1' : String(Math.floor(datacenter.clock.now().getTime() / 1000));
}

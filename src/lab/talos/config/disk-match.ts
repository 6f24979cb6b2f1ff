import { globExpression } from './glob.ts';
import type { DiskFacts } from './rules/install.ts';

const units: Readonly<Record<string, bigint>> = {
  '': 1n,
  kB: 1000n,
  MB: 1000n ** 2n,
  GB: 1000n ** 3n,
  TB: 1000n ** 4n,
  KiB: 1024n,
  MiB: 1024n ** 2n,
  GiB: 1024n ** 3n,
  TiB: 1024n ** 4n,
};

/**
 * Whether an expression over disks holds for one: comparisons of fields, `glob` and flags, all joined by &&. What it does not
 * understand it takes to be true.
 */
export function diskMatches(expression: string, disk: DiskFacts): boolean {
  return expression.split('&&').every((term) => termHolds(term.trim(), disk));
}

function termHolds(term: string, disk: DiskFacts): boolean {
  const fields = fieldsOf(disk);
  const [, flagged, flag] = /^(!?)disk\.(readonly|cdrom|rotational)$/.exec(term) ?? [];
  if (flag !== undefined) return fields[flag] === (flagged === '');
  const [, pattern, globbed] = /^glob\("([^"]*)",\s*disk\.(\w+)\)$/.exec(term) ?? [];
  if (globbed !== undefined) return globExpression(pattern ?? '').test(String(fields[globbed] ?? ''));
  const [, field, operator, wanted] = /^disk\.(\w+)\s*(==|!=)\s*["']([^"']*)["']$/.exec(term) ?? [];
  if (field !== undefined) return (String(fields[field] ?? '') === wanted) === (operator === '==');
  const [, compared = '', amount = '', unit = ''] =
    /^disk\.size\s*(<=|>=|<|>|==)\s*(\d+)u?(?:\s*\*\s*(\w+))?$/.exec(term) ?? [];
  return compared === '' || compares(disk.sizeBytes ?? 0n, compared, BigInt(amount) * (units[unit] ?? 1n));
}

const fieldsOf = (disk: DiskFacts): Readonly<Record<string, string | boolean | undefined>> => ({
  dev_path: disk.path,
  model: disk.model,
  serial: disk.serial,
  wwid: disk.wwid,
  uuid: disk.uuid,
  bus_path: disk.busPath,
  transport: disk.transport,
  rotational: disk.rotational === true,
  readonly: disk.readonly === true,
  cdrom: disk.cdrom === true,
});

function compares(size: bigint, operator: string, wanted: bigint): boolean {
  if (operator === '==') return size === wanted;
  if (operator.startsWith('<')) return size < wanted || (operator === '<=' && size === wanted);
  return size > wanted || (operator === '>=' && size === wanted);
}

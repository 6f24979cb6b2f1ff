import type { Call } from '../../call.ts';
import { forbidden } from '../../refusal.ts';
import { parseProperties, splitList } from '../config/property-string.ts';

/** Tags that are registered belong to who may change the data centre; `user-tag-access` says what is left to the others. */
export function requireTags(call: Call, vmid: number, before: string, after: string): void {
  call.require(`/vms/${vmid}`, ['VM.Config.Options']);
  if (call.may('/', ['Sys.Modify'])) return;
  const registered = new Set(splitList(call.datacenter.options.get('registered-tags') ?? ''));
  const allowed = allowedTags(call, registered);
  const [old, now] = [splitList(before), splitList(after)];
  for (const tag of new Set([...old, ...now])) {
    if (count(old, tag) === count(now, tag)) continue;
    if (registered.has(tag) || (allowed !== 'all' && !allowed.has(tag)))
      throw forbidden(`/, Sys.Modify for modifying tag '${tag}'`);
  }
}

const count = (tags: readonly string[], tag: string): number => tags.filter((each) => each === tag).length;

function allowedTags(call: Call, registered: ReadonlySet<string>): ReadonlySet<string> | 'all' {
  const access = parseProperties(call.datacenter.options.get('user-tag-access') ?? '');
  const allow = access.get('user-allow') ?? 'free';
  if (allow === 'free') return 'all';
  const listed = allow === 'none' ? [] : splitList(access.get('user-allow-list') ?? '');
  const used =
    allow === 'existing'
      ? [...call.datacenter.vms.values()]
          .filter((vm) => call.may(`/vms/${vm.vmid}`, ['VM.Audit']))
          .flatMap((vm) => splitList(vm.config.get('tags') ?? ''))
      : [];
  return new Set([...listed, ...used].filter((tag) => !registered.has(tag)));
}

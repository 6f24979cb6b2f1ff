import type { Store } from '../../state/store.ts';
import { Problem, Problems } from '../../model/problem.ts';
import { kubeconfigExpiresAt, readKubeconfig } from '../../talos/kubeconfig/read.ts';
import { expiresAt } from '../../talos/pki/life.ts';
import { readTalosconfig } from '../../talos/talosconfig/read.ts';
import { ok, skipped, unless, type Check } from './check.ts';
import { orProblem, type Speaking } from './machines.ts';

const dayMs = 86_400_000;
const warnDays = 30;

/** Certificates that people hold, and when they end. */
export async function fileCertificates(
  cluster: string,
  platform: string,
  store: Pick<Store, 'artifact'>,
  now: Date,
): Promise<readonly Check[]> {
  const remedy = `Renew it:\n    ichor up --only ${platform}`;
  const ends: readonly (readonly [string, (text: string) => Date | undefined])[] = [
    ['talosconfig', (text) => expiresAt(readTalosconfig(text, 'talosconfig').contexts.get(cluster)?.crt ?? '')],
    ['kubeconfig', (text) => kubeconfigExpiresAt(readKubeconfig(text, 'kubeconfig'))],
  ];
  return Promise.all(
    ends.map(async ([path, endOf]) => {
      const what = `The certificate of ${path} is good for at least ${warnDays} days.`;
      const text = await store.artifact(path);
      if (text === undefined) return unless('certificates', what, ['the file is not there'], remedy);
      return lifeCheck(
        what,
        readEnd(() => endOf(text)),
        now,
        remedy,
      );
    }),
  );
}

function readEnd(read: () => Date | undefined): Date | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem || error instanceof Problems) return undefined;
    throw error;
  }
}

export type ShownCertificate = (
  place: { readonly host: string; readonly port: number },
  signal: AbortSignal,
) => Promise<string>;

/** Certificates that servers show; Talos renews them by itself, long before they end. */
export async function shownCertificates(
  speaking: readonly Speaking[],
  shown: ShownCertificate | undefined,
  now: Date,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const planes = speaking.filter(({ role }) => role === 'control-plane');
  const kinds = [
    { what: 'The certificates of the Talos API have not run out.', port: 50_000, of: speaking },
    { what: 'The certificates of the Kubernetes API have not run out.', port: 6443, of: planes },
  ];
  return Promise.all(
    kinds.map(async ({ what, port, of }) => {
      if (shown === undefined || of.length === 0)
        return skipped(
          'certificates',
          what,
          shown === undefined ? 'they cannot be looked at from here' : 'nobody answers',
        );
      const looked = await Promise.all(
        of.map(async ({ name, address }) => {
          const crt = await shown({ host: address, port }, signal).catch(orProblem);
          return { name, address, end: crt instanceof Problem ? crt : expiresAt(crt) };
        }),
      );
      const against = looked.flatMap(({ name, end }) => {
        if (end instanceof Problem) return [`${name}: ${end.message}`];
        if (end === undefined) return [`${name} shows none that can be read`];
        return end.getTime() <= now.getTime() ? [`${name}: it ended on ${day(end)}`] : [];
      });
      const first = looked
        .flatMap(({ end }) => (end instanceof Date ? [end] : []))
        .toSorted((a, b) => a.getTime() - b.getTime())[0];
      const bad = looked.find(({ end }) => !(end instanceof Date) || end.getTime() <= now.getTime());
      const remedy = `Compare its clock; a reboot makes it issue new ones:\n    ichor talos reboot -n ${bad?.address ?? ''}`;
      if (against.length > 0) return unless('certificates', what, against, remedy);
      return ok('certificates', what, first === undefined ? '' : `the first ends on ${day(first)}`);
    }),
  );
}

function lifeCheck(what: string, end: Date | undefined, now: Date, remedy: string): Check {
  if (end === undefined) return unless('certificates', what, ['it has none that can be read'], remedy);
  const days = Math.floor((end.getTime() - now.getTime()) / dayMs);
  if (days < 0) return unless('certificates', what, [`it ended on ${day(end)}`], remedy);
  const left = `it ends on ${day(end)}, in ${days} days`;
  return days < warnDays ? unless('certificates', what, [left], remedy, 'warning') : ok('certificates', what, left);
}

const day = (date: Date): string => date.toISOString().slice(0, 10);

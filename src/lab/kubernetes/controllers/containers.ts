import type { Container, Pod } from './shapes.ts';
import { controllerOf } from './tools.ts';

/** How a container’s command ends, and after how long; undefined: it goes on. */
export function exitOf(
  pod: Pod,
  container: Container,
  jobRun: number,
): { readonly code: number; readonly afterMs: number } | undefined {
  const words = [...(container.command ?? []), ...(container.args ?? [])];
  const text = words.join(' ');
  const code = words[0] === 'false' ? 1 : Number(/\bexit (\d+)\W*$/.exec(text)?.[1] ?? 0);
  if (code !== 0) return { code, afterMs: jobRun };
  if (pod.spec.restartPolicy !== 'Never' && pod.spec.restartPolicy !== 'OnFailure') return undefined;
  const sleep = /\bsleep (infinity|[\d.]+)/.exec(text)?.[1];
  if (sleep === 'infinity') return undefined;
  if (sleep !== undefined) return { code, afterMs: Number(sleep) * 1000 };
  // A server without a command of its own is not known to end.
  return controllerOf(pod)?.kind === 'Job' || words.length > 0 ? { code, afterMs: jobRun } : undefined;
}

/** There is no such registry: names below `.invalid` lead nowhere, by definition. */
export const isBroken = (image: string | undefined): boolean => /^[^/]*\.invalid(:\d+)?\//.test(image ?? '');

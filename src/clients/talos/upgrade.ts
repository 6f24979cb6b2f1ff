import { createClient, type CallOptions } from '@connectrpc/connect';
import { Problem } from '../../model/problem.ts';
import { parseVersion } from '../../model/version.ts';
import { ContainerDriver, ContainerdNamespace } from '../../wire/gen/talos/common_pb.ts';
import { ImageService, LifecycleService, MachineService } from '../../wire/gen/talos/machine_pb.ts';
import type { TalosReader, TalosWriter, UpgradeProgress } from '../talos.ts';
import type { Line } from './call.ts';
import { onlyOne } from './envelope.ts';
import { streamEnded } from './problems.ts';
import { redact } from './redact.ts';

/** Where installer images lie on disk; pulling and installing must name the same place. */
const containerd = { driver: ContainerDriver.CRI, namespace: ContainerdNamespace.NS_SYSTEM };

export function upgradeWrites(line: Line, { version }: Pick<TalosReader, 'version'>): Pick<TalosWriter, 'upgrade'> {
  return {
    async *upgrade({ image, legacy, stage = false, force = false }, signal) {
      // Only the old call can stage an upgrade or skip its checks.
      const old = legacy ?? (stage || force || !hasLifecycle((await version(signal)).tag));
      if (old) yield* upgradeByOneCall(line, { image, stage, force }, signal);
      else {
        yield* pull(line, image, signal);
        yield* install(line, image, signal);
      }
    },
  };
}

/** The new services came with 1.13. */
export function hasLifecycle(tag: string): boolean {
  const version = parseVersion(tag);
  return version !== undefined && version.major === 1 && version.minor >= 13;
}

async function* upgradeByOneCall(
  line: Line,
  request: { readonly image: string; readonly stage: boolean; readonly force: boolean },
  signal: AbortSignal,
): AsyncGenerator<UpgradeProgress, void, undefined> {
  const machine = createClient(MachineService, line.transport);
  const ask = (options: CallOptions) => machine.upgrade(request, options);
  const { actorId } = onlyOne(line.host, await line.ask('upgrade', signal, ask));
  yield { kind: 'accepted', actor: actorId };
}

async function* pull(line: Line, image: string, signal: AbortSignal): AsyncGenerator<UpgradeProgress, void, undefined> {
  const images = createClient(ImageService, line.transport);
  const messages = line.stream('an image', signal, (options) => images.pull({ containerd, imageRef: image }, options));
  let pulled = false;
  for await (const { response } of messages) {
    if (response.case === 'name') {
      pulled = true;
      yield { kind: 'pulled', image: response.value };
    } else if (response.case === 'pullProgress') {
      const { layerId, progress } = response.value;
      yield { kind: 'pulling', layer: layerId, done: progress?.offset ?? 0n, total: progress?.total ?? 0n };
    }
  }
  if (!pulled) throw streamEnded({ host: line.host, verb: 'the pull of an image' });
}

/** The stream ends well even when the installer failed: its exit code decides. */
async function* install(
  line: Line,
  image: string,
  signal: AbortSignal,
): AsyncGenerator<UpgradeProgress, void, undefined> {
  const lifecycle = createClient(LifecycleService, line.transport);
  const request = { containerd, source: { imageName: image } };
  let exitCode: number | undefined;
  let said = '';
  for await (const { progress } of line.stream('installation', signal, (options) =>
    lifecycle.upgrade(request, options),
  )) {
    if (progress?.response.case === 'exitCode') exitCode = progress.response.value;
    else if (progress?.response.case === 'message') {
      said = (said + progress.response.value).slice(-2000);
      yield { kind: 'message', text: progress.response.value };
    }
  }
  if (exitCode === undefined) throw streamEnded({ host: line.host, verb: 'the installation' });
  if (exitCode !== 0) throw installerFailed(line.host, exitCode, said);
  yield { kind: 'installed' };
}

function installerFailed(host: string, exitCode: number, said: string): Problem {
  const lastLine = said.trimEnd().split('\n').at(-1) ?? '';
  return new Problem(
    'talos-install-failed',
    `The installer on ${host} ended with ${exitCode}${lastLine === '' ? '' : `: ${redact(lastLine)}`}.`,
    {
      recovery: 'ask',
      remedy: `The node still runs its old version. Look at its log:\n    ichor talos dmesg -n ${host}`,
    },
  );
}

import { GrpcStatus } from '../../grpc/status.ts';
import type { Boot } from '../node/boot.ts';
import type { Handler, LocalCall } from './call.ts';
import { rawEnvelope, rawMessage, rawUnary, textIn } from './raw.ts';
import type { RawField } from './raw.ts';

const at = (name: string): string => `/machine.MachineService/${name}`;

type Container = {
  readonly id: string;
  readonly pod: string;
  readonly pid: number;
  readonly image: string;
  readonly status: string;
};

function containersOf(boot: Boot, namespace: string): readonly Container[] {
  if (namespace === 'k8s.io')
    return boot.pods.flatMap(({ id, component }, index) => [
      { id, pod: id, pid: 500 + index * 20, image: 'registry.k8s.io/pause:3.10.1', status: 'SANDBOX_READY' },
      {
        id: `${id}:${component}:0a1b2c3d4e5f`,
        pod: id,
        pid: 510 + index * 20,
        image: `registry.k8s.io/${component}`,
        status: 'CONTAINER_RUNNING',
      },
    ]);
  return boot.services
    .all()
    .filter(({ id, state }) => state === 'Running' && ['apid', 'trustd', 'etcd', 'kubelet'].includes(id))
    .map(({ id, pid }) => ({ id, pod: id, pid, image: '', status: 'RUNNING' }));
}

export const containerHandlers: Readonly<Record<string, Handler>> = {
  [at('Containers')]: rawUnary(async ({ boot, call }) => {
    const namespace = await textIn(call, 1);
    return rawEnvelope(
      ...containersOf(boot, namespace).map(({ id, pod, pid, image, status }): RawField => [
        2,
        rawMessage(
          [1, namespace === '' ? 'system' : namespace],
          [2, id],
          [9, Buffer.from(id).toString('hex').slice(0, 16)],
          [3, image],
          [4, pid],
          [5, status],
          [6, pod],
          [7, id],
        ),
      ]),
    );
  }),
  [at('Stats')]: rawUnary(async ({ boot, call }) => {
    const namespace = await textIn(call, 1);
    return rawEnvelope(
      ...containersOf(boot, namespace).map(({ id, pod }): RawField => [
        2,
        rawMessage(
          [1, namespace === '' ? 'system' : namespace],
          [2, id],
          [4, 60_000_000],
          [5, 1_000_000],
          [6, pod],
          [7, id],
        ),
      ]),
    );
  }),
  [at('Restart')]: rawUnary(async ({ boot, call }: LocalCall) => {
    const id = await textIn(call, 2);
    if (!containersOf(boot, 'k8s.io').some((container) => container.id === id))
      throw new GrpcStatus('UNKNOWN', `container "${id}" not found`);
    return rawEnvelope();
  }),
  [at('PacketCapture')]: async ({ machine, call }) => {
    const name = await textIn(call, 1);
    if (name !== 'lo' && !machine.hardware.links.some((link) => link.name === name))
      throw new GrpcStatus('NOT_FOUND', `interface "${name}" not found`);
    await new Promise((_, reject) => call.signal.addEventListener('abort', () => reject(call.signal.reason as Error)));
  },
  '/machine.DebugService/ContainerRun': () =>
    Promise.reject(new GrpcStatus('INVALID_ARGUMENT', 'expected debug container spec')),
};

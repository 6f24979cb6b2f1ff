import { create } from '@bufbuild/protobuf';
import { EmptySchema, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { createHash } from 'node:crypto';
import { ContainerdNamespace, ContainerDriver } from '../../../wire/gen/talos/common_pb.ts';
import type { ContainerdInstance } from '../../../wire/gen/talos/common_pb.ts';
import {
  ImageListRequestSchema,
  ImageListResponseSchema,
  ImagePullRequestSchema,
  ImagePullResponseSchema,
  ImageServiceImportRequestSchema,
  ImageServiceImportResponseSchema,
  ImageServiceListRequestSchema,
  ImageServiceListResponseSchema,
  ImageServicePullLayerProgress_Status,
  ImageServicePullRequestSchema,
  ImageServicePullResponseSchema,
  ImageServiceRemoveRequestSchema,
  ImageServiceVerifyRequestSchema,
  ImageServiceVerifyResponseSchema,
} from '../../../wire/gen/talos/machine_pb.ts';
import type { ImageServicePullResponse } from '../../../wire/gen/talos/machine_pb.ts';
import { GrpcStatus } from '../../grpc/status.ts';
import { receiving, streaming, unary } from './call.ts';
import type { Handler, LocalCall } from './call.ts';

const layerBytes = 20_000_000n;
const etcdImage = 'registry.k8s.io/etcd:v3.6.12';
const digestOf = (reference: string): string => `sha256:${createHash('sha256').update(reference).digest('hex')}`;
const pinned = (reference: string): string =>
  `${reference.replace(/@.*$/, '').replace(/:[^/:]*$/, '')}@${digestOf(reference)}`;

/** In the name of the registry that the reference points at: `x` alone is no reference. */
const parses = (reference: string): boolean => /^[a-z0-9]+([._:/@-][a-zA-Z0-9._-]+)*$/.test(reference);

function requireInstance(instance: ContainerdInstance | undefined): void {
  const namespace = instance?.namespace ?? ContainerdNamespace.NS_UNKNOWN;
  if (namespace !== ContainerdNamespace.NS_SYSTEM && namespace !== ContainerdNamespace.NS_CRI)
    throw new GrpcStatus('INVALID_ARGUMENT', 'invalid containerd namespace NS_UNKNOWN');
  if (namespace === ContainerdNamespace.NS_CRI && instance?.driver !== ContainerDriver.CRI)
    throw new GrpcStatus('INVALID_ARGUMENT', 'cannot use CRI namespace with containerd driver');
}

/** Images on disk are there once the disk is; nobody answers before. */
async function criUp({ boot, call }: LocalCall): Promise<void> {
  await boot.until(() => boot.services.isRunning('cri'), call.signal);
}

const imagesIn = ({ machine, boot }: LocalCall, system: boolean): readonly string[] => {
  const { settings } = boot;
  const own = system
    ? [settings?.kubelet ?? '', boot.services.isRunning('etcd') ? etcdImage : '']
    : boot.pods.map(({ component }) => `registry.k8s.io/${component}:v1.36.3`);
  return [...new Set([...own.filter((image) => image !== ''), ...(system ? machine.pulled : [])])];
};

function* listed(
  given: LocalCall,
  system: boolean,
): Generator<{ name: string; digest: string; size: bigint; createdAt: ReturnType<typeof timestampFromDate> }> {
  for (const image of imagesIn(given, system))
    for (const name of [image, pinned(image)])
      yield {
        name,
        digest: digestOf(image),
        size: 4n * layerBytes,
        createdAt: timestampFromDate(given.boot.started),
      };
}

async function pull(given: LocalCall, reference: string): Promise<'present' | 'pulled'> {
  const { machine, boot } = given;
  if (!parses(reference))
    throw new GrpcStatus('UNKNOWN', `failed to parse image reference "${reference}": invalid reference format`);
  if ([...imagesIn(given, true), etcdImage].includes(reference)) return 'present';
  await boot.sleep(machine.durations.imagePull);
  if (machine.faults.takeImage('missing-image', reference) !== undefined)
    throw new GrpcStatus(
      'NOT_FOUND',
      `error pulling image: 1 error(s) occurred:\n\tfailed to pull image "${reference}": failed to resolve reference "${reference}": ${reference}: not found`,
    );
  machine.pulled.add(reference);
  return 'pulled';
}

export const imageHandlers: Readonly<Record<string, Handler>> = {
  '/machine.ImageService/List': streaming(
    ImageServiceListRequestSchema,
    ImageServiceListResponseSchema,
    async function* (given, { containerd }) {
      requireInstance(containerd);
      if (containerd?.driver === ContainerDriver.CONTAINERD) return;
      await criUp(given);
      for (const image of listed(given, containerd?.namespace === ContainerdNamespace.NS_SYSTEM))
        yield create(ImageServiceListResponseSchema, image);
    },
  ),

  '/machine.ImageService/Pull': streaming(
    ImageServicePullRequestSchema,
    ImageServicePullResponseSchema,
    async function* (given, { containerd, imageRef }): AsyncGenerator<ImageServicePullResponse> {
      requireInstance(containerd);
      if (containerd?.driver === ContainerDriver.CRI) await criUp(given);
      if ((await pull(given, imageRef)) === 'pulled')
        for (const status of ['DOWNLOADING', 'DOWNLOAD_COMPLETE', 'EXTRACTING', 'EXTRACT_COMPLETE'] as const)
          yield create(ImageServicePullResponseSchema, {
            response: {
              case: 'pullProgress',
              value: {
                layerId: digestOf(`layer of ${imageRef}`),
                progress: {
                  status: ImageServicePullLayerProgress_Status[status],
                  elapsed: { seconds: 1n },
                  offset: status === 'DOWNLOADING' ? layerBytes / 2n : layerBytes,
                  total: layerBytes,
                },
              },
            },
          });
      yield create(ImageServicePullResponseSchema, { response: { case: 'name', value: pinned(imageRef) } });
    },
  ),

  '/machine.ImageService/Import': receiving(
    ImageServiceImportRequestSchema,
    ImageServiceImportResponseSchema,
    async (_, requests) => {
      const hash = createHash('sha256');
      for await (const { request } of requests)
        if (request.case === 'containerd') requireInstance(request.value);
        else if (request.case === 'imageChunk') hash.update(request.value.bytes);
      return create(ImageServiceImportResponseSchema, { name: `imported@sha256:${hash.digest('hex')}` });
    },
  ),

  '/machine.ImageService/Remove': unary(
    ImageServiceRemoveRequestSchema,
    EmptySchema,
    (given, { containerd, imageRef }) => {
      requireInstance(containerd);
      if (!given.machine.pulled.delete(imageRef)) throw new GrpcStatus('NOT_FOUND', `image ${imageRef} not found`);
      return create(EmptySchema);
    },
  ),

  '/machine.ImageService/Verify': unary(
    ImageServiceVerifyRequestSchema,
    ImageServiceVerifyResponseSchema,
    (_, { imageRef }) => {
      if (!imageRef.includes('/'))
        throw new GrpcStatus('INVALID_ARGUMENT', `image reference is invalid: could not parse reference: ${imageRef}`);
      return create(ImageServiceVerifyResponseSchema, { message: 'no matched rule' });
    },
  ),

  '/machine.MachineService/ImageList': streaming(
    ImageListRequestSchema,
    ImageListResponseSchema,
    async function* (given, { namespace }) {
      await criUp(given);
      for (const image of listed(given, namespace === ContainerdNamespace.NS_SYSTEM))
        yield create(ImageListResponseSchema, image);
    },
  ),

  '/machine.MachineService/ImagePull': unary(
    ImagePullRequestSchema,
    ImagePullResponseSchema,
    async (given, { namespace, reference }) => {
      if (namespace === ContainerdNamespace.NS_UNKNOWN)
        throw new GrpcStatus('INVALID_ARGUMENT', 'invalid namespace NS_UNKNOWN');
      await criUp(given);
      await pull(given, reference);
      return create(ImagePullResponseSchema, { messages: [{}] });
    },
  ),
};

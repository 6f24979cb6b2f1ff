import { expect } from 'vitest';
import { answers, type Case } from '../case.ts';

const at = 'controlPlane';
const stage = 'bootstrapped';
const system = { driver: 'CRI', namespace: 'NS_SYSTEM' };

export const imageCases: readonly Case[] = [
  answers(
    'images: a list without a namespace',
    { stage, at, method: 'ImageService/List' },
    { code: 'INVALID_ARGUMENT', message: 'invalid containerd namespace NS_UNKNOWN', messages: [] },
  ),
  answers(
    'images: a list of what cannot be',
    { stage, at, method: 'ImageService/List', request: { containerd: { driver: 'CONTAINERD', namespace: 'NS_CRI' } } },
    { code: 'INVALID_ARGUMENT', message: 'cannot use CRI namespace with containerd driver', messages: [] },
  ),
  answers(
    'images: a pull without a namespace',
    { stage, at, method: 'ImageService/Pull' },
    { code: 'INVALID_ARGUMENT', message: 'invalid containerd namespace NS_UNKNOWN', messages: [] },
  ),
  answers(
    'images: the old pull without a namespace',
    { stage, at, method: 'ImagePull' },
    { code: 'INVALID_ARGUMENT', message: 'invalid namespace NS_UNKNOWN', messages: [] },
  ),
  answers(
    'images: a reference that is none',
    { stage, at, method: 'ImageService/Pull', request: { containerd: system, imageRef: '::' } },
    { code: 'UNKNOWN', message: 'failed to parse image reference "::": invalid reference format', messages: [] },
  ),
  answers(
    'images: an image that nobody has',
    { stage, at, method: 'ImageService/Pull', request: { containerd: system, imageRef: 'ghcr.io/siderolabs/nope:v1' } },
    {
      code: 'NOT_FOUND',
      message:
        /^error pulling image: 1 error\(s\) occurred:\n\tfailed to pull image "ghcr\.io\/siderolabs\/nope:v1": .*not found/,
    },
  ),
  answers(
    'images: removing what is not there',
    {
      stage,
      at,
      method: 'ImageService/Remove',
      request: { containerd: system, imageRef: 'ghcr.io/siderolabs/nope:v1' },
    },
    { code: 'NOT_FOUND', message: 'image ghcr.io/siderolabs/nope:v1 not found', messages: [] },
  ),
  answers(
    'images: nothing says that an image is to be verified',
    { stage, at, method: 'ImageService/Verify', request: { imageRef: 'registry.k8s.io/etcd:v3.6.12' } },
    { code: 'OK', messages: [{ message: 'no matched rule' }] },
  ),
  {
    stage,
    name: 'images: one that is there is pulled in one message, with its digest',
    run: async ({ call }) => {
      const request = { containerd: system, imageRef: 'registry.k8s.io/etcd:v3.6.12' };
      const { code, messages } = await call(at, 'ImageService/Pull', request);
      expect({ code, messages }).toEqual({
        code: 'OK',
        messages: [{ name: expect.stringMatching(/^registry\.k8s\.io\/etcd@sha256:[0-9a-f]{64}$/) as string }],
      });
    },
  },
  {
    stage,
    name: 'images: each is listed by its tag and by its digest',
    run: async ({ call }) => {
      const { messages } = await call(at, 'ImageService/List', { containerd: system });
      const names = (messages as { name: string }[]).map(({ name }) => name).filter((name) => name.includes('/etcd'));
      expect(names.toSorted()).toEqual([
        'registry.k8s.io/etcd:v3.6.12',
        expect.stringMatching(/^registry\.k8s\.io\/etcd@sha256:[0-9a-f]{64}$/),
      ]);
    },
  },
];

import { fromBinary } from '@bufbuild/protobuf';
import { Problem } from '../../../model/problem.ts';
import { VolumeStatusSpecSchema } from '../../../wire/gen/talos/resource/block_pb.ts';
import { DiagnosticSpecSchema } from '../../../wire/gen/talos/resource/runtime_pb.ts';
import type { ClusterNode } from '../../talos.ts';
import { eachOf, ok, serviceCheck, verdictOf, type Check } from './check.ts';

const MiB = 1024n * 1024n;
const leastMemory = { 'control-plane': 1698n * MiB, worker: 874n * MiB } as const;
/** 6 GiB, less what the other partitions take. */
const leastEphemeral = 3932n * MiB;

export const machineChecks: readonly Check[] = [
  {
    name: 'apid to be ready',
    async look({ nodes }, signal) {
      await eachOf(nodes, ({ talos }) => talos.version(signal));
      return ok;
    },
  },
  {
    name: 'all nodes memory sizes',
    async look({ nodes }, signal) {
      const words = await eachOf(nodes, async (node) => {
        if (await isContainer(node, signal)) return undefined;
        const { totalBytes } = await node.talos.memory(signal);
        const least = leastMemory[node.role];
        if (totalBytes >= least) return undefined;
        return `node "${node.name}" does not meet memory requirements: expected at least ${least / MiB} MiB, actual ${totalBytes / MiB} MiB`;
      });
      return verdictOf(words);
    },
  },
  {
    name: 'all nodes disk sizes',
    async look({ nodes }, signal) {
      const words = await eachOf(nodes, async (node) => {
        if (await isContainer(node, signal)) return undefined;
        const query = { type: 'VolumeStatuses.block.talos.dev', namespace: 'runtime', id: 'EPHEMERAL' };
        const found = await node.talos.get(query, signal);
        if (found === undefined) return `error getting volume status for node "${node.name}"`;
        const { size, location } = fromBinary(VolumeStatusSpecSchema, found.proto);
        if (size >= leastEphemeral) return undefined;
        return `ephemeral partition "${location}" for node "${node.name}" is too small, expected at least ${leastEphemeral / MiB} MiB, actual ${size / MiB} MiB`;
      });
      return verdictOf(words);
    },
  },
  {
    name: 'no diagnostics',
    async look({ nodes }, signal) {
      const query = { type: 'Diagnostics.runtime.talos.dev', namespace: 'runtime' };
      try {
        const found = await eachOf(nodes, async ({ name, talos }) => {
          const said = (await talos.list(query, signal)).map(
            ({ proto }) => fromBinary(DiagnosticSpecSchema, proto).message,
          );
          return said.length === 0 ? undefined : `active diagnostics: ${name}: ${said.join(', ')}`;
        });
        return verdictOf(found);
      } catch (error) {
        // Versions before 1.9 do not know this type.
        if (error instanceof Problem && error.code === 'talos-no-such-resource') return { skip: error.message };
        throw error;
      }
    },
  },
  serviceCheck('kubelet'),
  {
    name: 'all nodes to finish boot sequence',
    async look({ nodes }, signal) {
      const words = await eachOf(nodes, async ({ name, talos }) => {
        const { stage } = await talos.machineStatus(signal);
        return stage === 'running' ? undefined : `${name}: ${stage}`;
      });
      return verdictOf(words);
    },
  },
];

/** A container has the memory and the disks of its host. */
const isContainer = async ({ talos }: ClusterNode, signal: AbortSignal): Promise<boolean> =>
  (await talos.version(signal)).mode === 'container';

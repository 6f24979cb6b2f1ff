import type { KubeObject } from '../../../wire/kubernetes/objects.ts';
import { systemClasses } from './priority-class.ts';
import { usualRange } from './service-allocation.ts';

/** What every API server makes for itself before anybody asks. */
export const initialObjects = (now: string, serviceCidr = usualRange): readonly KubeObject[] => [
  ...systemClasses.map((each) => ({ ...each, metadata: { ...each.metadata, generation: 1 } })),
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes' },
    spec: { cidrs: serviceCidr.split(',') },
    status: {
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          lastTransitionTime: now,
          reason: '',
          message: 'Kubernetes default Service CIDR is ready',
        },
      ],
    },
  },
];

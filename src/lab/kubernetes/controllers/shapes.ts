import type { ObjectMeta } from '../../../wire/kubernetes/objects.ts';

/** Built-in kinds as far as controllers read them; what a server has defaulted is taken to be there. */
type Kind<Spec, Status> = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta & { readonly name: string; readonly uid: string };
  readonly spec: Spec;
  readonly status?: Status;
};

export type Labels = Readonly<Record<string, string>>;

export type LabelSelector = {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly SelectorRequirement[];
};

export type SelectorRequirement = {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
};

export type Condition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
  readonly lastProbeTime?: string | null;
  readonly lastHeartbeatTime?: string;
  readonly observedGeneration?: number;
};

export type Taint = {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
};

export type Toleration = {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
};

export type Container = {
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly restartPolicy?: string;
  readonly ports?: readonly {
    readonly name?: string;
    readonly containerPort: number;
    readonly hostPort?: number;
    readonly protocol?: string;
  }[];
  readonly resources?: { readonly requests?: Labels; readonly limits?: Labels };
};

type NamedSource = { readonly name?: string; readonly secretName?: string; readonly optional?: boolean };

type Volume = {
  readonly name: string;
  readonly hostPath?: { readonly path: string };
  readonly secret?: NamedSource;
  readonly configMap?: NamedSource;
  readonly projected?: {
    readonly sources?: readonly { readonly secret?: NamedSource; readonly configMap?: NamedSource }[];
  };
  readonly persistentVolumeClaim?: { readonly claimName: string };
};

export type NodeSelectorTerm = {
  readonly matchExpressions?: readonly SelectorRequirement[];
  readonly matchFields?: readonly SelectorRequirement[];
};

export type PodAffinityTerm = {
  readonly labelSelector?: LabelSelector;
  readonly topologyKey: string;
  readonly namespaces?: readonly string[];
};

export type Affinity = {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
    };
  };
  readonly podAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] };
  readonly podAntiAffinity?: { readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[] };
};

export type PodSpec = {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly nodeName?: string;
  readonly nodeSelector?: Labels;
  readonly affinity?: Affinity;
  readonly tolerations?: readonly Toleration[];
  readonly hostNetwork?: boolean;
  readonly restartPolicy?: string;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly { readonly name: string }[];
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
};

export type ContainerState = {
  readonly waiting?: { readonly reason: string; readonly message?: string };
  readonly running?: { readonly startedAt: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason: string;
    readonly startedAt: string;
    readonly finishedAt: string;
    readonly containerID: string;
  };
};

export type ContainerStatus = {
  readonly name: string;
  readonly state: ContainerState;
  readonly lastState: ContainerState;
  readonly ready: boolean;
  readonly started: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly containerID?: string;
};

export type PodStatus = {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
  readonly reason?: string;
  readonly message?: string;
  readonly hostIP?: string;
  readonly hostIPs?: readonly { readonly ip: string }[];
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly startTime?: string;
  readonly qosClass?: string;
  readonly observedGeneration?: number;
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
};

export type Pod = Kind<PodSpec, PodStatus>;

export type PodTemplate = {
  readonly metadata?: {
    readonly labels?: Labels;
    readonly annotations?: Labels;
    readonly finalizers?: readonly string[];
  };
  readonly spec: PodSpec;
};

export type Node = Kind<
  {
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly string[];
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
  },
  {
    readonly conditions?: readonly Condition[];
    readonly allocatable?: Labels;
    readonly capacity?: Labels;
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  }
>;

type IntOrString = number | string;

export type Deployment = Kind<
  {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxSurge?: IntOrString; readonly maxUnavailable?: IntOrString };
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly paused?: boolean;
    readonly progressDeadlineSeconds?: number;
  },
  {
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly Condition[];
    readonly collisionCount?: number;
  }
>;

export type ReplicaSet = Kind<
  {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly minReadySeconds?: number;
  },
  {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly terminatingReplicas?: number;
    readonly conditions?: readonly Condition[];
  }
>;

type ClaimTemplate = { readonly metadata: ObjectMeta & { readonly name: string }; readonly spec: object };

export type StatefulSet = Kind<
  {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly serviceName?: string;
    readonly podManagementPolicy?: string;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
    readonly volumeClaimTemplates?: readonly ClaimTemplate[];
    readonly persistentVolumeClaimRetentionPolicy?: { readonly whenDeleted?: string; readonly whenScaled?: string };
    readonly minReadySeconds?: number;
    readonly ordinals?: { readonly start?: number };
    readonly revisionHistoryLimit?: number;
  },
  { readonly currentRevision?: string; readonly updateRevision?: string; readonly collisionCount?: number }
>;

export type DaemonSet = Kind<
  {
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly maxUnavailable?: IntOrString; readonly maxSurge?: IntOrString };
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
  },
  Readonly<Record<string, unknown>>
>;

export type Job = Kind<
  {
    readonly parallelism?: number;
    readonly completions?: number;
    readonly completionMode?: string;
    readonly backoffLimit?: number;
    readonly activeDeadlineSeconds?: number;
    readonly ttlSecondsAfterFinished?: number;
    readonly suspend?: boolean;
    readonly selector?: LabelSelector;
    readonly template: PodTemplate;
  },
  {
    readonly active?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly ready?: number;
    readonly terminating?: number;
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly completedIndexes?: string;
    readonly conditions?: readonly Condition[];
    readonly uncountedTerminatedPods?: object;
  }
>;

export type CronJob = Kind<
  {
    readonly schedule: string;
    readonly suspend?: boolean;
    readonly concurrencyPolicy?: string;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
    readonly jobTemplate: {
      readonly metadata?: { readonly labels?: Labels; readonly annotations?: Labels };
      readonly spec: object;
    };
  },
  { readonly lastScheduleTime?: string; readonly lastSuccessfulTime?: string; readonly active?: readonly object[] }
>;

export type Service = Kind<
  {
    readonly selector?: Labels;
    readonly type?: string;
    readonly clusterIP?: string;
    readonly publishNotReadyAddresses?: boolean;
    readonly ports?: readonly {
      readonly name?: string;
      readonly port: number;
      readonly protocol?: string;
      readonly appProtocol?: string;
      readonly targetPort?: IntOrString;
      readonly nodePort?: number;
    }[];
  },
  object
>;

export type Budget = Kind<
  {
    readonly selector?: LabelSelector;
    readonly minAvailable?: IntOrString;
    readonly maxUnavailable?: IntOrString;
    readonly unhealthyPodEvictionPolicy?: string;
  },
  {
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly expectedPods?: number;
    readonly observedGeneration?: number;
    readonly disruptedPods?: Labels;
    readonly conditions?: readonly Condition[];
  }
>;

export type Claim = Kind<
  {
    readonly accessModes?: readonly string[];
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly volumeMode?: string;
    readonly resources?: { readonly requests?: Labels };
  },
  { readonly phase?: string }
>;

export type PersistentVolume = Kind<
  {
    readonly accessModes?: readonly string[];
    readonly capacity?: Labels;
    readonly storageClassName?: string;
    readonly persistentVolumeReclaimPolicy?: string;
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
  },
  { readonly phase?: string }
>;

export type Namespace = Kind<
  { readonly finalizers?: readonly string[] },
  { readonly phase?: string; readonly conditions?: readonly Condition[] }
>;

export type ControllerRevision = Kind<undefined, undefined> & { readonly data: unknown; readonly revision: number };

/** What is stored under which key. */
type Quota = Kind<
  { readonly hard?: Readonly<Record<string, string>> },
  { readonly hard?: Readonly<Record<string, string>>; readonly used?: Readonly<Record<string, string>> }
>;

export type Shapes = {
  readonly '/namespaces': Namespace;
  readonly '/nodes': Node;
  readonly '/persistentvolumeclaims': Claim;
  readonly '/persistentvolumes': PersistentVolume;
  readonly '/pods': Pod;
  readonly '/resourcequotas': Quota;
  readonly '/services': Service;
  readonly 'apps/controllerrevisions': ControllerRevision;
  readonly 'apps/daemonsets': DaemonSet;
  readonly 'apps/deployments': Deployment;
  readonly 'apps/replicasets': ReplicaSet;
  readonly 'apps/statefulsets': StatefulSet;
  readonly 'batch/cronjobs': CronJob;
  readonly 'batch/jobs': Job;
  readonly 'policy/poddisruptionbudgets': Budget;
};

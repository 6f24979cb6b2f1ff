import type { Column } from '../resource.ts';
import { ageColumn, nameColumn } from './cells.ts';
import {
  apiServiceColumns,
  configMapColumns,
  leaseColumns,
  namespaceColumns,
  nodeColumns,
  priorityClassColumns,
  quotaColumns,
  runtimeClassColumns,
  secretColumns,
  signingRequestColumns,
  webhookColumns,
} from './cluster.ts';
import { eventColumns } from './events.ts';
import {
  endpointSliceColumns,
  endpointsColumns,
  ingressClassColumns,
  ingressColumns,
  networkPolicyColumns,
  serviceCidrColumns,
  serviceColumns,
} from './network.ts';
import { podColumns } from './pods.ts';
import { bindingColumns, plainColumns } from './rbac.ts';
import {
  attachmentColumns,
  claimColumns,
  csiDriverColumns,
  csiNodeColumns,
  storageClassColumns,
  volumeColumns,
} from './storage.ts';
import {
  autoscalerColumns,
  budgetColumns,
  cronJobColumns,
  daemonSetColumns,
  deploymentColumns,
  jobColumns,
  podTemplateColumns,
  replicaSetColumns,
  replicationControllerColumns,
  revisionColumns,
  statefulSetColumns,
} from './workloads.ts';

const columns: Readonly<Record<string, readonly Column[]>> = {
  '/configmaps': configMapColumns,
  '/endpoints': endpointsColumns,
  '/events': eventColumns,
  '/namespaces': namespaceColumns,
  '/nodes': nodeColumns,
  '/persistentvolumeclaims': claimColumns,
  '/persistentvolumes': volumeColumns,
  '/pods': podColumns,
  '/podtemplates': podTemplateColumns,
  '/replicationcontrollers': replicationControllerColumns,
  '/resourcequotas': quotaColumns,
  '/secrets': secretColumns,
  '/serviceaccounts': [nameColumn, ageColumn],
  '/services': serviceColumns,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhookColumns,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhookColumns,
  'apiregistration.k8s.io/apiservices': apiServiceColumns,
  'apps/controllerrevisions': revisionColumns,
  'apps/daemonsets': daemonSetColumns,
  'apps/deployments': deploymentColumns,
  'apps/replicasets': replicaSetColumns,
  'apps/statefulsets': statefulSetColumns,
  'autoscaling/horizontalpodautoscalers': autoscalerColumns,
  'batch/cronjobs': cronJobColumns,
  'batch/jobs': jobColumns,
  'certificates.k8s.io/certificatesigningrequests': signingRequestColumns,
  'coordination.k8s.io/leases': leaseColumns,
  'discovery.k8s.io/endpointslices': endpointSliceColumns,
  'events.k8s.io/events': eventColumns,
  'networking.k8s.io/ingressclasses': ingressClassColumns,
  'networking.k8s.io/ingresses': ingressColumns,
  'networking.k8s.io/networkpolicies': networkPolicyColumns,
  'networking.k8s.io/servicecidrs': serviceCidrColumns,
  'node.k8s.io/runtimeclasses': runtimeClassColumns,
  'policy/poddisruptionbudgets': budgetColumns,
  'rbac.authorization.k8s.io/clusterrolebindings': bindingColumns,
  'rbac.authorization.k8s.io/rolebindings': bindingColumns,
  'scheduling.k8s.io/priorityclasses': priorityClassColumns,
  'storage.k8s.io/csidrivers': csiDriverColumns,
  'storage.k8s.io/csinodes': csiNodeColumns,
  'storage.k8s.io/storageclasses': storageClassColumns,
  'storage.k8s.io/volumeattachments': attachmentColumns,
};

/** The columns of `kubectl get` for a built-in kind. */
export const columnsOf = (group: string, resource: string): readonly Column[] =>
  columns[`${group}/${resource}`] ?? plainColumns;

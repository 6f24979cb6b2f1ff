import type { Types } from '../notation.ts';

/** Servers behind the server. */
export const apiregistration: Types = {
  APIService: `
    @kind @list
    spec APIServiceSpec
    status APIServiceStatus`,
  APIServiceCondition: `
    type! string
    status! string
    lastTransitionTime time
    reason string
    message string`,
  APIServiceSpec: `
    service *ServiceReference
    group string
    version string
    insecureSkipTLSVerify bool
    caBundle bytes atomic
    groupPriorityMinimum! int32
    versionPriority! int32`,
  APIServiceStatus: 'conditions []APIServiceCondition by=type merge',
  ServiceReference: `
    namespace string
    name string
    port *int32`,
};

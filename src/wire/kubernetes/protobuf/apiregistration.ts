import type { Numbers } from '../protobuf.ts';

export const apiregistrationNumbers: Numbers = {
  APIService: 'metadata spec status',
  APIServiceCondition: 'type status lastTransitionTime reason message',
  APIServiceSpec: 'service group version insecureSkipTLSVerify caBundle 7:groupPriorityMinimum versionPriority',
  APIServiceStatus: 'conditions',
  ServiceReference: 'namespace name port',
};

/** Who has the roles that every cluster starts with; bindings are called as their role unless they say otherwise. */
export type Bound = { readonly role: string; readonly name?: string; readonly to: readonly string[] };

/** Subjects: `User NAME`, `Group NAME`, `ServiceAccount NAMESPACE/NAME`. */
export const clusterRoleBindings: readonly Bound[] = [
  { role: 'cluster-admin', to: ['Group system:masters'] },
  { role: 'system:basic-user', to: ['Group system:authenticated'] },
  { role: 'system:discovery', to: ['Group system:authenticated'] },
  { role: 'system:kube-controller-manager', to: ['User system:kube-controller-manager'] },
  { role: 'system:kube-dns', to: ['ServiceAccount kube-system/kube-dns'] },
  { role: 'system:kube-scheduler', to: ['User system:kube-scheduler'] },
  { role: 'system:monitoring', to: ['Group system:monitoring'] },
  { role: 'system:node', to: [] },
  { role: 'system:node-proxier', to: ['User system:kube-proxy'] },
  { role: 'system:public-info-viewer', to: ['Group system:authenticated', 'Group system:unauthenticated'] },
  { role: 'system:service-account-issuer-discovery', to: ['Group system:serviceaccounts'] },
  { role: 'system:volume-scheduler', to: ['User system:kube-scheduler'] },
];

/** By namespace, in the notation of `role-notation.ts`. */
export const namespacedRoles: Readonly<Record<string, string>> = {
  'kube-public': `
system:controller:bootstrap-signer
  read core: configmaps
  update core: configmaps = cluster-info
  events
`,
  'kube-system': `
extension-apiserver-authentication-reader
  read core: configmaps = extension-apiserver-authentication
system::leader-locking-kube-controller-manager
  create,get,list,update,watch coordination.k8s.io: leases
  create,get,list,update,watch coordination.k8s.io: leasecandidates
system::leader-locking-kube-scheduler
  create,get,list,update,watch coordination.k8s.io: leases
  create,get,list,update,watch coordination.k8s.io: leasecandidates
system:controller:bootstrap-signer
  read core: secrets
system:controller:cloud-provider
  create,get,list,watch core: configmaps
system:controller:token-cleaner
  delete,get,list,watch core: secrets
  events
`,
};

export const roleBindings: Readonly<Record<string, readonly Bound[]>> = {
  'kube-public': [{ role: 'system:controller:bootstrap-signer', to: ['ServiceAccount kube-system/bootstrap-signer'] }],
  'kube-system': [
    {
      role: 'extension-apiserver-authentication-reader',
      name: 'system::extension-apiserver-authentication-reader',
      to: ['User system:kube-controller-manager', 'User system:kube-scheduler'],
    },
    {
      role: 'system::leader-locking-kube-controller-manager',
      to: [
        'User system:kube-controller-manager',
        'ServiceAccount kube-system/kube-controller-manager',
        'ServiceAccount kube-system/leader-election-controller',
      ],
    },
    {
      role: 'system::leader-locking-kube-scheduler',
      to: ['User system:kube-scheduler', 'ServiceAccount kube-system/kube-scheduler'],
    },
    { role: 'system:controller:bootstrap-signer', to: ['ServiceAccount kube-system/bootstrap-signer'] },
    { role: 'system:controller:cloud-provider', to: ['ServiceAccount kube-system/cloud-provider'] },
    { role: 'system:controller:token-cleaner', to: ['ServiceAccount kube-system/token-cleaner'] },
  ],
};

/** On the network of every node, whatever its taints. */
export const everywhere = {
  hostNetwork: true,
  tolerations: [
    { effect: 'NoSchedule', operator: 'Exists' },
    { effect: 'NoExecute', operator: 'Exists' },
  ],
};

export const hostPath = (name: string, path: string): object => ({ name, hostPath: { path } });

/** The sections of a platform, in the order in which they stand on each other. */
export const layers = ['identity', 'machines', 'cluster', 'services', 'configuration'] as const;
export type Layer = (typeof layers)[number];

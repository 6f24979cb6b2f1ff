/** A resource pool. Members may be ids that nobody has. */
export type Pool = { comment: string | undefined; readonly vms: Set<number>; readonly storages: Set<string> };

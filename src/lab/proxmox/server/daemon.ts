/** The processes of a host that are root: each carries out one request at a time. */
export interface Daemon {
  run<T>(work: () => Promise<T>): Promise<T>;
}

const processes = 3;

/**
 * A process that becomes free takes everybody who waits at the door and serves them one after the other, even while its
 * neighbours are idle: that is how a few slow calls hold up all others.
 */
export function createDaemon(): Daemon {
  let free = processes;
  let door: (() => Promise<void>)[] = [];
  const serve = async (first: () => Promise<void>): Promise<void> => {
    free -= 1;
    for (let batch = [first]; batch.length > 0;) {
      for (const each of batch) await each();
      batch = door;
      door = [];
    }
    free += 1;
  };
  return {
    run: (work) =>
      new Promise((resolve, reject) => {
        const job = (): Promise<void> => work().then(resolve, reject);
        if (free > 0) void serve(job);
        else door.push(job);
      }),
  };
}

/** Lets time pass; handed in, so that a test decides how fast. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>;

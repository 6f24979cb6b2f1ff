import type { Volume } from '../storage.ts';

/** A place that volumes lie on: of one host, or of all of them. */
export class Space {
  totalBytes: number;
  /** What others have put there, whom nobody lists. */
  ballastBytes = 0;
  readonly volumes = new Map<string, Volume>();
  readonly #thin: () => boolean;

  constructor(totalBytes: number, thin: () => boolean) {
    this.totalBytes = totalBytes;
    this.#thin = thin;
  }

  /** What a volume takes away from the room of all. */
  charge(volume: Pick<Volume, 'bytes' | 'fileBytes'>): number {
    return this.#thin() ? volume.fileBytes : volume.bytes;
  }

  get usedBytes(): number {
    let sum = this.ballastBytes;
    for (const volume of this.volumes.values()) sum += this.charge(volume);
    return Math.min(sum, this.totalBytes);
  }

  get freeBytes(): number {
    return this.totalBytes - this.usedBytes;
  }

  /** Puts so much there that just this is left; what lies there already stays. */
  fill(freeBytes: number): void {
    this.ballastBytes = 0;
    this.ballastBytes = Math.max(0, this.freeBytes - freeBytes);
  }
}

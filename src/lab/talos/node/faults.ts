import type { TwinFault } from '../twin.ts';

/** What is to go wrong, and how often still. */
export class Faults {
  /** Those of all machines together. */
  above: Faults | undefined;
  #faults: { readonly fault: TwinFault; left: number }[] = [];

  add(fault: TwinFault): void {
    this.#faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#faults = [];
  }

  /** The next fault of this kind for a method; it is used up by being taken. */
  take(kind: TwinFault['kind'], method: string): TwinFault | undefined {
    return this.#take((fault) => fault.kind === kind && concerns(fault, method));
  }

  /** The same for an image. */
  takeImage(kind: 'missing-image' | 'broken-image', image: string): TwinFault | undefined {
    return this.#take((fault) => fault.kind === kind && names(fault, image));
  }

  #take(wanted: (fault: TwinFault) => boolean): TwinFault | undefined {
    const found = this.#faults.find(({ fault, left }) => left > 0 && wanted(fault) && happens(fault));
    if (found === undefined) return this.above === undefined ? undefined : this.above.#take(wanted);
    found.left -= 1;
    return found.fault;
  }
}

const happens = ({ share, chance = Math.random }: TwinFault): boolean => share === undefined || chance() < share;

const names = ({ image = '' }: TwinFault, called: string): boolean => called.includes(image);

const concerns = ({ method }: TwinFault, called: string): boolean => method === undefined || called.startsWith(method);

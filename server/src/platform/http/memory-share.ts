import { Failure } from '../../core/failure.ts';
import * as say from '../../messages/uploads.ts';

/** Beyond this many waiting bodies no further one would get its turn in time. */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly bytes: number;
  readonly grant: () => void;
}

/** An amount of memory that bodies take from, first come, first served. */
export class MemoryShare {
  readonly bytes: number;
  readonly #waiting = new Set<Waiting>();
  #held = 0;

  constructor(bytes: number) {
    this.bytes = bytes;
  }

  get held(): number {
    return this.#held;
  }

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * Takes `bytes`: undefined when that is done, else a promise for it, which rejects with a Failure `unavailable` after
   * `deadline` ms.
   */
  take(bytes: number, deadline: number): Promise<void> | undefined {
    if (!this.hasWaiting && this.#held + bytes <= this.bytes) {
      this.#held += bytes;
      return undefined;
    }
    return this.#waiting.size >= MAX_WAITING ? Promise.reject(noMemory()) : this.#wait(bytes, deadline);
  }

  /** Gives `bytes` back, to the bodies that wait. */
  give(bytes: number): void {
    this.#held -= bytes;
    this.#serve();
  }

  #wait(bytes: number, deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        bytes,
        grant() {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(noMemory());
        this.#serve();
      }, deadline);
      this.#waiting.add(waiting);
    });
  }

  #serve(): void {
    for (const waiting of this.#waiting) {
      if (this.#held + waiting.bytes > this.bytes) return;
      this.#held += waiting.bytes;
      this.#waiting.delete(waiting);
      waiting.grant();
    }
  }
}

function noMemory(): Failure {
  return new Failure('unavailable', say.MEMORY_FULL);
}

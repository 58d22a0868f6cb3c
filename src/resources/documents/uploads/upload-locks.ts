import type { Lock, Locker } from "@tus/server";
import type { Permits, Release, Semaphores } from "../../../semaphore.ts";

/**
 * Allows one request at a time for each upload. A new request asks the running one to end, and waits until that has
 * written the bytes it received. So a client whose connection broke need not wait until the server has noticed.
 */
export class UploadLocks implements Locker {
  readonly #locks: Permits;

  constructor(semaphores: Semaphores) {
    this.#locks = semaphores.open("resumable uploads", Infinity);
  }

  newLock(name: string): Lock {
    let release: Release | null = null;
    return {
      lock: async (_signal, askToEnd) => {
        release = await this.#locks.acquire([{ name, maxHeld: 1 }], { onWanted: () => void askToEnd() });
      },
      unlock: async () => release?.(),
    };
  }
}

import type { Lock, Locker, RequestRelease } from "@tus/server";

interface Holder {
  askToEnd: RequestRelease;
  ended: Promise<void>;
  end(): void;
}

/**
 * Allows one request at a time for each upload. A new request asks the running one to end, and waits until that has
 * written the bytes it received. So a client whose connection broke need not wait until the server has noticed.
 */
export class UploadLocks implements Locker {
  readonly #holders = new Map<string, Holder>();

  newLock(name: string): Lock {
    let held: Holder | null = null;
    return {
      lock: async (_signal, askToEnd) => {
        for (let holder = this.#holders.get(name); holder !== undefined; holder = this.#holders.get(name)) {
          await holder.askToEnd();
          await holder.ended;
        }
        const { promise: ended, resolve: end } = Promise.withResolvers<void>();
        held = { askToEnd, ended, end };
        this.#holders.set(name, held);
      },
      unlock: async () => {
        if (held === null) return;
        this.#holders.delete(name);
        held.end();
        held = null;
      },
    };
  }
}

import type { Context } from "../../../context.ts";
import { tooBusy } from "../../../errors.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { type Permits, type Release, TooBusyError } from "../../../semaphore.ts";
import { askerOf } from "./throttle-key.ts";

/** How many there may be at the same time: on this server, and per user or per address without one on all servers. */
interface Limits {
  onServer: number;
  perAsker: number;
}

/** Limits how much of one kind each person has open at a time. */
export class PersonalLimit {
  readonly #database: Context["database"];
  readonly #permits: Permits;
  readonly #name: string;
  readonly #perAsker: number;

  constructor(
    { database, semaphores }: Pick<Context, "database" | "semaphores">,
    name: string,
    { onServer, perAsker }: Limits,
  ) {
    this.#database = database;
    this.#permits = semaphores.open(name, onServer, 0);
    this.#name = name;
    this.#perAsker = perAsker;
  }

  /** @throws {ApiError} 503 if there are too many. */
  async acquire({ viewer, ip }: { viewer: Viewer; ip: string }): Promise<Release> {
    const asker = askerOf(viewer, ip);
    const ofServer = await this.#permits
      .acquire([{ name: asker, maxRequests: this.#perAsker }])
      .catch((error: unknown): never => {
        throw error instanceof TooBusyError ? tooBusy(10) : error;
      });
    const { permits } = this.#database;
    if (permits === null) return ofServer;
    const ofAll = await permits.take(`${this.#name} of ${asker}`, this.#perAsker);
    if (ofAll === null) {
      ofServer();
      throw tooBusy(10);
    }
    return () => {
      ofServer();
      ofAll();
    };
  }
}

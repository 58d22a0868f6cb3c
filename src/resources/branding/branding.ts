import type { Database } from "../../database/database.ts";
import { type StoredBranding, findBranding, noBranding } from "./branding-store.ts";

type Version = string | number;

/** How often it reads the branding although it is told of changes: a hint may be lost. */
const hintedMilliseconds = 5000;

/**
 * What administrators have said of the site, as every page of this process shows it. Pages ask the database nothing:
 * the schedule calls `look` a few times a second, which reads it again if anything was written, by whatever process.
 */
export class Branding {
  stored: StoredBranding = noBranding;
  readonly #database: Database;
  /** The version of the database from before the latest reading; null before the first one. */
  #version: Version | null = null;
  #readAt = -Infinity;
  /** How often it was different from before. */
  #changes = 0;

  constructor(database: Database) {
    this.#database = database;
    database.hints?.onHint("branding", () => void this.read().catch(() => undefined));
  }

  /**
   * The version of the database, as a version of pages: it also changes when this process reads another branding, which
   * is after the commit. Otherwise a page of the time between would stay in the response cache.
   */
  versionOfPages(): Version | Promise<Version> {
    const version = this.#database.version();
    const changes = this.#changes;
    if (changes === 0) return version;
    return version instanceof Promise ? version.then((of) => `${of} ${changes}`) : `${version} ${changes}`;
  }

  /** Reads it again if it may have changed. */
  async look(): Promise<void> {
    const isTold = this.#database.hints?.areHeard === true;
    if (isTold && performance.now() - this.#readAt < hintedMilliseconds) return;
    const version = await this.#database.version();
    if (version === this.#version) return;
    await this.read();
    this.#version = version;
  }

  /** Reads it now. */
  async read(): Promise<void> {
    this.#readAt = performance.now();
    const found = await findBranding(this.#database.reader);
    const isEqual = Object.entries(found).every(([name, value]) => this.stored[name as never] === value);
    if (isEqual) return;
    this.stored = found;
    this.#changes += 1;
  }

  /** Must be called after a change. Other processes notice it at once, or within a quarter of a second. */
  async heed(): Promise<void> {
    await this.read();
    this.#database.hints?.send("branding");
  }
}

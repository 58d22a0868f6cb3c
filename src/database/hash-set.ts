import { DatabaseSync, type StatementSync } from "node:sqlite";

const cacheKibibytes = 32 * 1024;

/** Hashes in a temporary file, which is deleted when the set is disposed of: their number does not matter to the memory. */
export class HashSet implements Disposable {
  readonly #database = new DatabaseSync("");
  readonly #insert: StatementSync;
  readonly #find: StatementSync;

  constructor() {
    // The transaction never ends: a commit would write to the file what fits into the cache.
    this.#database.exec(`
      pragma cache_size = -${cacheKibibytes};
      create table hashes (hash blob primary key) without rowid;
      begin`);
    this.#insert = this.#database.prepare("insert or ignore into hashes values (?)");
    this.#find = this.#database.prepare("select 1 from hashes where hash = ?");
  }

  /** In hexadecimal digits. */
  add(hashes: readonly string[]): void {
    for (const hash of hashes) this.#insert.run(Buffer.from(hash, "hex"));
  }

  has(hash: string): boolean {
    return this.#find.get(Buffer.from(hash, "hex")) !== undefined;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

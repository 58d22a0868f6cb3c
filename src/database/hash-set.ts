import { DatabaseSync, type StatementSync } from "node:sqlite";

const cacheKibibytes = 32 * 1024;

/**
 * A set of hashes in a temporary file, which is deleted with the set. Its use of memory does not depend on their
 * number.
 */
export class HashSet implements Disposable {
  readonly #database = new DatabaseSync("");
  readonly #insert: StatementSync;
  readonly #find: StatementSync;

  constructor() {
    // The transaction is never committed: a commit would write to the file even what fits into the cache.
    this.#database.exec(`
      pragma cache_size = -${cacheKibibytes};
      create table hashes (hash blob primary key) without rowid;
      begin`);
    this.#insert = this.#database.prepare("insert or ignore into hashes values (?)");
    this.#find = this.#database.prepare("select 1 from hashes where hash = ?");
  }

  /** In hexadecimal digits. */
  add(hash: string): void {
    this.#insert.run(Buffer.from(hash, "hex"));
  }

  has(hash: string): boolean {
    return this.#find.get(Buffer.from(hash, "hex")) !== undefined;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

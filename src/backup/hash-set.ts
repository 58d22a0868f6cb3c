import { DatabaseSync, type StatementSync } from "node:sqlite";

/** Hashes in a temporary file, which is deleted when the set is disposed of: their number does not matter to the memory. */
export class HashSet implements Disposable {
  readonly #database = new DatabaseSync("");
  readonly #insert: StatementSync;
  readonly #find: StatementSync;

  constructor() {
    this.#database.exec("create table hashes (hash text primary key) without rowid");
    this.#insert = this.#database.prepare("insert or ignore into hashes values (?)");
    this.#find = this.#database.prepare("select 1 from hashes where hash = ?");
  }

  add(hashes: readonly string[]): void {
    this.#database.exec("begin");
    for (const hash of hashes) this.#insert.run(hash);
    this.#database.exec("commit");
  }

  has(hash: string): boolean {
    return this.#find.get(hash) !== undefined;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

import { DatabaseSync, type StatementSync } from "node:sqlite";

export interface IndexedFile {
  key: string;
  /** In bytes. */
  size: number;
  modifiedAt: Date;
}

const cacheKibibytes = 32 * 1024;
const filesAtOnce = 500;

/**
 * Files by their keys, in a temporary file, which is deleted with the index. Its use of memory does not depend on their
 * number.
 */
export class FileIndex implements Disposable {
  readonly #database = new DatabaseSync("");
  readonly #put: StatementSync;
  readonly #get: StatementSync;
  readonly #delete: StatementSync;
  readonly #page: StatementSync;

  constructor() {
    // The transaction is never committed: a commit would write to the file even what fits into the cache.
    this.#database.exec(`
      pragma cache_size = -${cacheKibibytes};
      create table files (key text primary key, size integer not null, modified integer not null) without rowid;
      begin`);
    this.#put = this.#database.prepare("insert or replace into files values (?, ?, ?)");
    this.#get = this.#database.prepare("select key, size, modified from files where key = ?");
    this.#delete = this.#database.prepare("delete from files where key = ?");
    this.#page = this.#database.prepare(
      `select key, size, modified from files where key > ? and key < ? order by key limit ${filesAtOnce}`,
    );
  }

  put({ key, size, modifiedAt }: IndexedFile): void {
    this.#put.run(key, size, modifiedAt.getTime());
  }

  get(key: string): IndexedFile | null {
    const row = this.#get.get(key);
    return row === undefined ? null : fileOf(row);
  }

  delete(key: string): void {
    this.#delete.run(key);
  }

  /** The files whose keys start with this folder and a slash, in order. They may be deleted meanwhile. */
  *below(folder: string): Generator<IndexedFile> {
    // "0" follows the slash.
    const end = `${folder}0`;
    for (let after = `${folder}/`; ;) {
      const page = this.#page.all(after, end).map(fileOf);
      yield* page;
      if (page.length < filesAtOnce) return;
      after = page.at(-1)?.key ?? end;
    }
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

function fileOf({ key, size, modified }: Record<string, unknown>): IndexedFile {
  return { key: key as string, size: size as number, modifiedAt: new Date(modified as number) };
}

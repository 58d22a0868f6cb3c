import type { Database, Writer } from "../../../database/database.ts";
import type { LeftOut, Unpacked } from "../../../processing/unpack/unpacking.ts";
import {
  type ImportedFile,
  endImportOf,
  findImportOf,
  findLeftOut,
  hasLeftOut,
  replaceLeftOut,
} from "../import-run-store.ts";

/** A container, and the root of its family, which may be itself. */
interface Container {
  rootId: number;
  parentId: number;
}

type IsReplaced = (row: Pick<ImportedFile, "path" | "outcome">) => boolean;

/**
 * The account of what a container could not give out, in the import to which it belongs. It is written whenever some
 * files have been taken out, so that it is whole even if the process dies before the others.
 */
export class LeftOutAccount {
  readonly #database: Pick<Database, "reader" | "write">;
  readonly #container: Container;
  /** Null if the container belongs to no import, and has no account. */
  readonly #importId: number | null;
  /** Whether there may be something to replace. */
  readonly #hasEarlier: boolean;
  /** Whether all of it is replaced. */
  #isFresh: boolean;

  private constructor(
    database: Pick<Database, "reader" | "write">,
    container: Container,
    earlier: { importId: number | null; hasEarlier: boolean; isFresh: boolean },
  ) {
    this.#database = database;
    this.#container = container;
    this.#importId = earlier.importId;
    this.#hasEarlier = earlier.hasEarlier;
    this.#isFresh = earlier.isFresh;
  }

  /** `isFresh` is false if the container is read on from where it was left: what was noted before stays. */
  static async open(
    database: Pick<Database, "reader" | "write">,
    container: Container,
    isFresh: boolean,
  ): Promise<LeftOutAccount> {
    const importId = await findImportOf(database.reader, container.rootId);
    const hasEarlier = importId !== null && (await hasLeftOut(database.reader, container.parentId));
    return new LeftOutAccount(database, container, { importId, hasEarlier, isFresh });
  }

  /** Notes what was left out of some files, and that the others came. */
  async note({ files, leftOut }: Pick<Unpacked, "files" | "leftOut">): Promise<void> {
    if (!this.#isWritten(leftOut)) return;
    const names = new Set([...files, ...leftOut].map(({ path }) => path));
    const rows = leftOut.map((file) => ({ ...file, outcome: "skipped" }) as const);
    await this.#database.write((writer) =>
      this.#replace(writer, rows, ({ outcome, path }) => outcome === "skipped" && names.has(path)),
    );
  }

  /** Notes why the container could not be read to its end, or that it was. The import of a root ends with it. */
  async end(failure: { reason: string } | null): Promise<void> {
    const { rootId, parentId } = this.#container;
    const rows = failure === null ? [] : [{ path: "", outcome: "failed", reason: failure.reason } as const];
    if (rootId !== parentId && !this.#isWritten(rows)) return;
    await this.#database.write(async (writer) => {
      await this.#replace(writer, rows, ({ outcome }) => outcome === "failed");
      if (rootId === parentId) await endImportOf(writer, rootId, failure === null ? "done" : "failed");
    });
  }

  /** What any attempt has left out; null if there is no account. */
  async all(): Promise<LeftOut[] | null> {
    return this.#importId === null ? null : findLeftOut(this.#database.reader, this.#container.parentId);
  }

  #isWritten(rows: readonly unknown[]): boolean {
    return this.#importId !== null && (rows.length > 0 || this.#hasEarlier);
  }

  async #replace(
    writer: Writer,
    rows: readonly Omit<ImportedFile, "container">[],
    isReplaced: IsReplaced,
  ): Promise<void> {
    const { parentId: container } = this.#container;
    if (this.#importId === null) return;
    const files = rows.map((row) => ({ ...row, container }));
    await replaceLeftOut(writer, this.#importId, container, {
      files,
      isReplaced: this.#isFresh ? () => true : isReplaced,
    });
    this.#isFresh = false;
  }
}

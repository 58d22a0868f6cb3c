import type { Readable } from "node:stream";
import { DataStore, Upload } from "@tus/server";
import { notFound } from "../../../errors.ts";
import type { PartialFiles } from "../../../files/partial-files.ts";

/** Files that arrive in parts, as the tus library sees them, for one request. `begin` begins one for its user. */
export class TusDataStore extends DataStore {
  readonly #files: PartialFiles;
  readonly #expiryHours: number;
  readonly #begin: (upload: Upload) => Promise<void>;

  constructor(files: PartialFiles, expiryHours: number, begin: (upload: Upload) => Promise<void>) {
    super();
    this.#files = files;
    this.#expiryHours = expiryHours;
    this.#begin = begin;
    this.extensions = ["creation", "creation-with-upload", "expiration", "termination"];
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#begin(upload);
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const found = await this.#files.find(id);
    if (found === null) throw notFound();
    const { note, received, touchedAt } = found;
    return new Upload({
      id,
      size: note.size,
      offset: note.isDone ? note.size : received,
      metadata: { ...note.metadata },
      // The library counts expiry from this date, so an upload that continues does not expire.
      creation_date: touchedAt.toISOString(),
    });
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const found = await this.#files.find(id);
    // A finished upload takes no more bytes. Its file has become its document's.
    if (found?.note.isDone === true) return offset;
    return this.#files.append(id, offset, bytes);
  }

  override remove(id: string): Promise<void> {
    return this.#files.remove(id);
  }

  override getExpiration(): number {
    return this.#expiryHours * 3_600_000;
  }
}

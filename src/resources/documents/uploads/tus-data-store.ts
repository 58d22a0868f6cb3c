import type { Readable } from "node:stream";
import { DataStore, Upload } from "@tus/server";
import { notFound } from "../../../errors.ts";
import type { UploadFolder } from "../../../files/upload-folder.ts";

/** Adapts the uploads folder to the tus library, for one request. `begin` begins an upload for that request's user. */
export class TusDataStore extends DataStore {
  readonly #folder: UploadFolder;
  readonly #expiryHours: number;
  readonly #begin: (upload: Upload) => Promise<void>;

  constructor(folder: UploadFolder, expiryHours: number, begin: (upload: Upload) => Promise<void>) {
    super();
    this.#folder = folder;
    this.#expiryHours = expiryHours;
    this.#begin = begin;
    this.extensions = ["creation", "creation-with-upload", "expiration", "termination"];
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#begin(upload);
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const found = await this.#folder.find(id);
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
    const found = await this.#folder.find(id);
    // A finished upload takes no more bytes. Its file has become its document's.
    if (found?.note.isDone === true) return offset;
    return this.#folder.append(id, offset, bytes);
  }

  override remove(id: string): Promise<void> {
    return this.#folder.remove(id);
  }

  override getExpiration(): number {
    return this.#expiryHours * 3_600_000;
  }
}

import type { Readable } from "node:stream";
import { DataStore, Upload } from "@tus/server";
import { notFound } from "../../../errors.ts";
import type { UploadFolder } from "../../../files/upload-folder.ts";

/** The folder of uploads as the protocol's library knows it: for one request, whose sender begins uploads by `begin`. */
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
      // An upload that goes on does not expire.
      creation_date: touchedAt.toISOString(),
    });
  }

  override async write(bytes: Readable, id: string, offset: number): Promise<number> {
    const found = await this.#folder.find(id);
    // Nothing comes after the end, and its bytes have gone to their document.
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

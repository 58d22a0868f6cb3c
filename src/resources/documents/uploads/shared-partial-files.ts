import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../../context.ts";
import { conflict } from "../../../errors.ts";
import {
  type PartialFile,
  type PartialFiles,
  type UploadLimit,
  type UploadNote,
  type WholeFile,
  isUploadName,
} from "../../../files/partial-files.ts";
import {
  addPart,
  addUpload,
  changeNote,
  findParts,
  findUpload,
  findUploadNames,
  goOnHolding,
  holdUpload,
  removeUpload,
} from "./partial-upload-store.ts";

/*
 * Uploads in parts for servers that share a bucket, any of which may receive any part. The database has the notes and
 * says which parts are stored, in which order; the bucket has their bytes, each part as a file of its own. A part
 * counts once its row is there, and only if it begins where the others end. So two servers that receive for the same
 * upload, because a connection broke without one of them noticing, never mix their bytes: the later one is refused, and
 * its client asks for the offset.
 *
 * The tus protocol allows parts of any size. One of many gigabytes is stored in pieces, so that a server that is
 * killed loses one piece of it.
 */

const folderOfAll = "uploads";
const defaultPieceBytes = 32 * 1024 * 1024;
const heldSeconds = 60;
const renewMilliseconds = 20_000;
const retryMilliseconds = 200;

const folderOf = (name: string): string => `${folderOfAll}/${name}`;

type Needs = Pick<Context, "config" | "database" | "files" | "uploads" | "log">;

/** Where this server keeps uploads in parts: in its own folder, or in the bucket that others may share. */
export function partialFilesOf(context: Needs): PartialFiles {
  return context.config.s3Bucket === null ? context.uploads : new SharedPartialFiles(context);
}

export class SharedPartialFiles implements PartialFiles {
  readonly #context: Omit<Needs, "config">;
  readonly #pieceBytes: number;
  /** Under which name this server holds an upload. */
  readonly #holders = new Map<string, string>();

  constructor(context: Omit<Needs, "config">, pieceBytes = defaultPieceBytes) {
    this.#context = context;
    this.#pieceBytes = pieceBytes;
  }

  begin(name: string, note: UploadNote, limit: UploadLimit): Promise<boolean> {
    return this.#context.database.write((writer) => addUpload(writer, name, note, limit));
  }

  async find(name: string): Promise<PartialFile | null> {
    return isUploadName(name) ? findUpload(this.#context.database.reader, name) : null;
  }

  /** @throws {ApiError} 409 if another server has received bytes from this offset on. */
  async append(name: string, start: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const pieces = new Pieces(bytes, this.#pieceBytes);
    let end = start;
    while (await pieces.hasNext()) end += await this.#store(name, end, pieces);
    if (pieces.failure !== null) throw pieces.failure.reason;
    return end;
  }

  async #store(upload: string, start: number, pieces: Pieces): Promise<number> {
    const { database, files } = this.#context;
    const key = `${folderOf(upload)}/${start}-${randomUUID()}`;
    await files.put(key, pieces.next());
    const size = pieces.latestBytes;
    if (await database.write((writer) => addPart(writer, upload, { start, size, key }))) return size;
    await files.delete(key);
    throw conflict("Another request has sent bytes from this offset on, or the upload has ended.");
  }

  async write(name: string, note: UploadNote): Promise<void> {
    const { database, files } = this.#context;
    const holder = this.#holders.get(name) ?? null;
    if (!(await database.write((writer) => changeNote(writer, name, note, holder))))
      throw new Error(`Another server has taken the upload ${name} over`);
    if (note.isDone) await files.deleteFolder(folderOf(name));
  }

  /** Also the names of uploads of which only bytes are left. */
  async list(): Promise<string[]> {
    const { database, files } = this.#context;
    const noted = await findUploadNames(database.reader, { onlyUnfinished: false });
    return [...new Set([...noted, ...(await Array.fromAsync(files.folders(folderOfAll)))])];
  }

  listUnfinished(): Promise<string[]> {
    return findUploadNames(this.#context.database.reader, { onlyUnfinished: true });
  }

  async isOlder(name: string, than: Date): Promise<boolean> {
    const found = await this.find(name);
    const touchedAt = found?.touchedAt ?? (await this.#context.files.changedAt(folderOf(name)));
    return touchedAt === null || touchedAt < than;
  }

  /** Removes the note first: bytes without a note are removed when they have expired. */
  async remove(name: string): Promise<void> {
    const { database, files } = this.#context;
    await database.write((writer) => removeUpload(writer, name));
    await files.deleteFolder(folderOf(name));
  }

  async whole(name: string): Promise<WholeFile> {
    const { database, files, uploads } = this.#context;
    const parts = await findParts(database.reader, name);
    async function* bytes(): AsyncGenerator<Uint8Array> {
      for (const { key, size } of parts) {
        const part = await files.read(key);
        if (part === null) throw new Error(`The part ${key} of an upload is missing`);
        let read = 0;
        for await (const chunk of part as AsyncIterable<Uint8Array>) {
          read += chunk.length;
          yield chunk;
        }
        if (read !== size)
          throw new Error(`The part ${key} of an upload has ${read} bytes instead of ${size}`);
      }
    }
    const taken = await uploads.take(bytes());
    return { path: taken.path, [Symbol.asyncDispose]: () => uploads.drop(taken.path) };
  }

  async claim(name: string): Promise<AsyncDisposable> {
    const { database, log } = this.#context;
    for (;;) {
      const held = await database.write((writer) => holdUpload(writer, name, heldSeconds));
      if (held === "gone") return { [Symbol.asyncDispose]: async () => undefined };
      if (held === "of another") {
        await wait(retryMilliseconds);
        continue;
      }
      const { holder } = held;
      this.#holders.set(name, holder);
      const renewal = setInterval(() => {
        database
          .write((writer) => goOnHolding(writer, name, holder, heldSeconds))
          .catch((error: unknown) => log.warn({ err: error }, "Holding an upload for longer failed"));
      }, renewMilliseconds);
      return {
        [Symbol.asyncDispose]: async () => {
          clearInterval(renewal);
          this.#holders.delete(name);
          await database.write((writer) => goOnHolding(writer, name, holder, null));
        },
      };
    }
  }
}

/** Cuts a stream into pieces. The bytes that arrived before a failure are a piece like any other. */
class Pieces {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #maxBytes: number;
  #ahead: Uint8Array | null = null;
  #isOver = false;
  /** The length of the latest piece. */
  latestBytes = 0;
  failure: { reason: unknown } | null = null;

  constructor(bytes: AsyncIterable<Uint8Array>, maxBytes: number) {
    this.#chunks = bytes[Symbol.asyncIterator]();
    this.#maxBytes = maxBytes;
  }

  async hasNext(): Promise<boolean> {
    this.#ahead ??= await this.#read();
    return this.#ahead !== null;
  }

  /** The bytes of the next piece, as a stream that does not fail. */
  next(): Readable {
    return Readable.from(this.#piece());
  }

  async *#piece(): AsyncGenerator<Uint8Array> {
    this.latestBytes = 0;
    while (this.latestBytes < this.#maxBytes && (await this.hasNext())) {
      const chunk = this.#ahead as Uint8Array;
      this.#ahead = null;
      this.latestBytes += chunk.length;
      yield chunk;
    }
  }

  async #read(): Promise<Uint8Array | null> {
    while (!this.#isOver) {
      try {
        const next = await this.#chunks.next();
        if (next.done === true) this.#isOver = true;
        else if (next.value.length > 0) return next.value;
      } catch (reason) {
        this.failure = { reason };
        this.#isOver = true;
      }
    }
    return null;
  }
}

import { randomUUID } from "node:crypto";
import { type FileHandle, open, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "./make-folder.ts";
import { unlessAbsent } from "./unless-absent.ts";

/*
 * Uploads in progress, before they belong to a document. A file that arrives in a single request (`take`) stays here
 * until the request ends. A file that arrives in parts, over hours and restarts (`begin`, `append`), has a note
 * beside it with the client's metadata as JSON. The number of received bytes is the length of the file and is stored
 * nowhere else: so a server that is killed at any moment loses nothing. No length is reported before the bytes are
 * synced.
 *
 * The notes of completed uploads are in a separate folder: they are kept for clients that missed the response, and
 * starting an upload must not require scanning thousands of them.
 *
 * Several processes may use one folder. A file without a note that was not written to for an hour is abandoned.
 */

const abandonedAfterSeconds = 3600;
const noteEnding = ".json";
const doneFolder = "done";

/** A complete file, until it is dropped. */
export interface TakenFile {
  /** Its path on this machine. */
  path: string;
  /** In bytes. */
  size: number;
}

/** The note beside a file that arrives in parts. */
export interface UploadNote {
  /** The final size in bytes. */
  size: number;
  /** The client's metadata, without the password. */
  metadata: Readonly<Record<string, string | null>>;
  /** The password that opens the file, encrypted; absent if the client sent none, and after the upload is complete. */
  sealedPassword?: string | undefined;
  /** The document for which the file is meant; null for one that is still to be created. */
  documentId: number | null;
  /** The upload is complete: the file now belongs to that document. */
  isDone: boolean;
}

/** The state of a file that arrives in parts. */
export interface PartialFile {
  note: UploadNote;
  /** In bytes; 0 if its bytes were removed. */
  received: number;
  /** When its last bytes arrived or its note changed. */
  touchedAt: Date;
}

/** Names consist of ASCII letters, digits, `-` and `_`. */
export class UploadFolder {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the folder, creates it if necessary, and removes abandoned files. */
  static async open(folder: string): Promise<UploadFolder> {
    const absolute = path.resolve(folder);
    await makeFolder(absolute);
    await makeFolder(path.join(absolute, doneFolder));
    const opened = new UploadFolder(absolute);
    await opened.#removeAbandoned();
    return opened;
  }

  /** Stores all of these bytes or, if they fail, none. They are not synced, since they do not stay here. */
  async take(bytes: AsyncIterable<Uint8Array>): Promise<TakenFile> {
    const file = this.pathOf(randomUUID());
    try {
      await using handle = await open(file, "wx");
      await handle.writeFile(bytes);
      return { path: file, size: (await handle.stat()).size };
    } catch (error) {
      await rm(file, { force: true });
      throw error;
    }
  }

  /** Removes a file stored by `take`. */
  async drop(file: string): Promise<void> {
    await rm(file, { force: true });
  }

  /** Starts an upload in parts. */
  async begin(name: string, note: UploadNote): Promise<void> {
    {
      await using handle = await open(this.pathOf(name), "wx");
      await handle.sync();
    }
    await this.write(name, note);
  }

  /** Null if there is no such upload. The received bytes are synced to the disk first. */
  async find(name: string): Promise<PartialFile | null> {
    if (!isName(name)) return null;
    const note =
      (await unlessAbsent(readFile(this.#noteOf(name), "utf8"))) ??
      (await unlessAbsent(readFile(this.#doneNoteOf(name), "utf8")));
    if (note === null) return null;
    await using handle = await unlessAbsent(open(this.pathOf(name), "r"));
    await handle?.sync();
    return {
      note: JSON.parse(note) as UploadNote,
      received: (await handle?.stat())?.size ?? 0,
      touchedAt: new Date(await this.#touchedMilliseconds(name)),
    };
  }

  /**
   * Writes these bytes from this offset on and returns the offset after them. If they fail, those that arrived before
   * remain. Two writers at the same offset write the same file position, so a client that sends bytes twice does no
   * harm.
   */
  async append(name: string, start: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    await using handle = await open(this.pathOf(name), "r+");
    let end = start;
    for await (const chunk of bytes) {
      await writeAt(handle, chunk, end);
      end += chunk.length;
    }
    await handle.sync();
    return end;
  }

  /** Replaces the note, completely or not at all. Of a completed upload only the note remains. */
  async write(name: string, note: UploadNote): Promise<void> {
    await this.#writeNote(name, note);
    if (!note.isDone) return;
    await rm(this.#noteOf(name), { force: true });
    await rm(this.pathOf(name), { force: true });
  }

  async #writeNote(name: string, note: UploadNote): Promise<void> {
    const target = note.isDone ? this.#doneNoteOf(name) : this.#noteOf(name);
    const temporary = this.pathOf(`${name}-${randomUUID()}`);
    try {
      {
        await using handle = await open(temporary, "wx");
        await handle.writeFile(JSON.stringify(note));
        await handle.sync();
      }
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await using folder = await open(path.dirname(target));
    await folder.sync();
  }

  /** The names of all uploads that were not removed. */
  async list(): Promise<string[]> {
    const done = namesOfNotes(await readdir(path.join(this.#folder, doneFolder)));
    return [...new Set([...(await this.listUnfinished()), ...done])];
  }

  /** The names of the uploads that are not complete. */
  async listUnfinished(): Promise<string[]> {
    return namesOfNotes(await readdir(this.#folder));
  }

  /** Whether neither bytes nor a note have been written since then. */
  async isOlder(name: string, than: Date): Promise<boolean> {
    return (await this.#touchedMilliseconds(name)) < than.getTime();
  }

  /** Removes the upload, its notes first: a file without a note counts as abandoned. */
  async remove(name: string): Promise<void> {
    for (const note of [this.#doneNoteOf(name), this.#noteOf(name)]) await rm(note, { force: true });
    await rm(this.pathOf(name), { force: true });
  }

  /** The path of its bytes on this machine. */
  pathOf(name: string): string {
    if (!isName(name)) throw new Error(`not the name of an upload: ${JSON.stringify(name.slice(0, 200))}`);
    return path.join(this.#folder, name);
  }

  #noteOf(name: string): string {
    return this.pathOf(name) + noteEnding;
  }

  #doneNoteOf(name: string): string {
    return path.join(this.#folder, doneFolder, path.basename(this.#noteOf(name)));
  }

  /** When its last bytes arrived or its note changed. */
  async #touchedMilliseconds(name: string): Promise<number> {
    const paths = [this.pathOf(name), this.#noteOf(name), this.#doneNoteOf(name)];
    const found = await Promise.all(paths.map((file) => unlessAbsent(stat(file))));
    return Math.max(0, ...found.map((stats) => stats?.mtimeMs ?? 0));
  }

  async #removeAbandoned(): Promise<void> {
    const names = await readdir(this.#folder);
    for (const name of names) {
      const isKept = name === doneFolder || name.endsWith(noteEnding) || names.includes(name + noteEnding);
      if (isKept) continue;
      const file = path.join(this.#folder, name);
      const found = await unlessAbsent(stat(file));
      const isAbandoned = found !== null && Date.now() - found.mtimeMs > abandonedAfterSeconds * 1000;
      if (isAbandoned) await rm(file, { force: true });
    }
  }
}

function namesOfNotes(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith(noteEnding)).map((name) => name.slice(0, -noteEnding.length));
}

function isName(name: string): boolean {
  return /^[\w-]{1,200}$/.test(name);
}

/** A single write may be partial. */
async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

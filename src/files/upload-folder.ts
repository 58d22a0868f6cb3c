import { randomUUID } from "node:crypto";
import { type FileHandle, open, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { makeFolder } from "./make-folder.ts";
import {
  type PartialFile,
  type PartialFiles,
  type UploadLimit,
  type UploadNote,
  type WholeFile,
  isLimitReached,
  isUploadName,
} from "./partial-files.ts";
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

export class UploadFolder implements PartialFiles {
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

  /** Its callers begin one upload at a time. */
  async begin(name: string, note: UploadNote, limit: UploadLimit): Promise<boolean> {
    if (isLimitReached(limit, await this.listUnfinished())) return false;
    {
      await using handle = await open(this.pathOf(name), "wx");
      await handle.sync();
    }
    await this.write(name, note);
    return true;
  }

  /** The received bytes are synced to the disk first. */
  async find(name: string): Promise<PartialFile | null> {
    if (!isUploadName(name)) return null;
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

  /** Two writers at the same offset write the same file position, so a client that sends bytes twice does no harm. */
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

  async list(): Promise<string[]> {
    const done = namesOfNotes(await readdir(path.join(this.#folder, doneFolder)));
    return [...new Set([...(await this.listUnfinished()), ...done])];
  }

  async listUnfinished(): Promise<string[]> {
    return namesOfNotes(await readdir(this.#folder));
  }

  async isOlder(name: string, than: Date): Promise<boolean> {
    return (await this.#touchedMilliseconds(name)) < than.getTime();
  }

  /** Removes the notes first: a file without a note counts as abandoned. */
  async remove(name: string): Promise<void> {
    for (const note of [this.#doneNoteOf(name), this.#noteOf(name)]) await rm(note, { force: true });
    await rm(this.pathOf(name), { force: true });
  }

  async whole(name: string): Promise<WholeFile> {
    return { path: this.pathOf(name), [Symbol.asyncDispose]: async () => undefined };
  }

  /** Nobody but the processes of this server works here, and they have locks of their own. */
  async claim(): Promise<AsyncDisposable> {
    return { [Symbol.asyncDispose]: async () => undefined };
  }

  /** The path of its bytes on this machine. */
  pathOf(name: string): string {
    if (!isUploadName(name))
      throw new Error(`not the name of an upload: ${JSON.stringify(name.slice(0, 200))}`);
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

/** A single write may be partial. */
async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

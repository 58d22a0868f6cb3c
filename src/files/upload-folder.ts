import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readFile, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { unlessAbsent } from "./unless-absent.ts";

/*
 * Files that are on their way in, before they are anybody's. One that comes in a single request (`take`) lies here
 * until that request ends. One that comes in parts, over hours and restarts (`begin`, `append`), has a note beside it:
 * what its sender said of it, as JSON. How much of it has come is how long its file is, and nowhere else: so a server
 * that is killed at any moment knows as much as one that was not. Nobody is told a length before it has been synced.
 *
 * The notes of those that are done are in a folder of their own: they stay for whoever missed the answer, and nobody who
 * begins another one is to wait until thousands of them have been looked at.
 *
 * Several processes may use one folder. What has no note and was not written to for an hour is nobody's any more.
 */

const abandonedAfterSeconds = 3600;
const noteEnding = ".json";
const doneFolder = "done";

/** A file that is here whole, until it is dropped. */
export interface TakenFile {
  /** Its path on this machine. */
  place: string;
  /** In bytes. */
  size: number;
}

/** What is kept beside a file that comes in parts. */
export interface UploadNote {
  /** In bytes: how large it will be. */
  size: number;
  /** What its sender said of it. */
  metadata: Readonly<Record<string, string | null>>;
  /** Which document it is for; null: one that is still to be made. */
  documentId: number | null;
  /** It has become that document's file. */
  isDone: boolean;
}

/** A file that comes in parts, as far as it has come. */
export interface PartialFile {
  note: UploadNote;
  /** In bytes; 0 when its bytes were dropped. */
  received: number;
  /** When its last bytes came, or its note changed. */
  touchedAt: Date;
}

/** Names are made of letters, digits, `-` and `_`. */
export class UploadFolder {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens the folder, which is made if need be, and clears it of what nobody will go on with. */
  static async open(folder: string): Promise<UploadFolder> {
    const absolute = path.resolve(folder);
    await mkdir(path.join(absolute, doneFolder), { recursive: true });
    const opened = new UploadFolder(absolute);
    await opened.#removeAbandoned();
    return opened;
  }

  /** Takes all of these bytes or, when they fail, none. They are not synced: this is not where they stay. */
  async take(bytes: AsyncIterable<Uint8Array>): Promise<TakenFile> {
    const place = this.placeOf(randomUUID());
    try {
      await using handle = await open(place, "wx");
      await handle.writeFile(bytes);
      return { place, size: (await handle.stat()).size };
    } catch (error) {
      await rm(place, { force: true });
      throw error;
    }
  }

  /** Removes a file that was taken. */
  async drop(place: string): Promise<void> {
    await rm(place, { force: true });
  }

  /** Begins a file that comes in parts. */
  async begin(name: string, note: UploadNote): Promise<void> {
    {
      await using handle = await open(this.placeOf(name), "wx");
      await handle.sync();
    }
    await this.write(name, note);
  }

  /** Null where no such file was begun. What it says has come is on the disk. */
  async find(name: string): Promise<PartialFile | null> {
    if (!isName(name)) return null;
    const note =
      (await unlessAbsent(readFile(this.#noteOf(name), "utf8"))) ??
      (await unlessAbsent(readFile(this.#doneNoteOf(name), "utf8")));
    if (note === null) return null;
    await using handle = await unlessAbsent(open(this.placeOf(name), "r"));
    await handle?.sync();
    return {
      note: JSON.parse(note) as UploadNote,
      received: (await handle?.stat())?.size ?? 0,
      touchedAt: new Date(await this.#touchedMilliseconds(name)),
    };
  }

  /**
   * Writes these bytes from that one on, and how much has come then. When they fail, those that came before stay.
   * Two who write the same place write no more than the one or the other, so a sender that sends twice does no harm.
   */
  async append(name: string, start: number, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    await using handle = await open(this.placeOf(name), "r+");
    let end = start;
    for await (const chunk of bytes) {
      await writeAt(handle, chunk, end);
      end += chunk.length;
    }
    await handle.sync();
    return end;
  }

  /** Puts another note in place of the one that is there: whole or not at all. Of one that is done, only that is left. */
  async write(name: string, note: UploadNote): Promise<void> {
    await this.#writeNote(name, note);
    if (!note.isDone) return;
    await rm(this.#noteOf(name), { force: true });
    await rm(this.placeOf(name), { force: true });
  }

  async #writeNote(name: string, note: UploadNote): Promise<void> {
    const place = note.isDone ? this.#doneNoteOf(name) : this.#noteOf(name);
    const aside = this.placeOf(`${name}-${randomUUID()}`);
    try {
      {
        await using handle = await open(aside, "wx");
        await handle.writeFile(JSON.stringify(note));
        await handle.sync();
      }
      await rename(aside, place);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
    await using folder = await open(path.dirname(place));
    await folder.sync();
  }

  /** The names of the files that were begun and not removed. */
  async list(): Promise<string[]> {
    const done = namesOfNotes(await readdir(path.join(this.#folder, doneFolder)));
    return [...new Set([...(await this.listUnfinished()), ...done])];
  }

  /** Those of them that are not done. */
  async listUnfinished(): Promise<string[]> {
    return namesOfNotes(await readdir(this.#folder));
  }

  /** Whether nothing has come since then, and its note did not change. */
  async isOlder(name: string, than: Date): Promise<boolean> {
    return (await this.#touchedMilliseconds(name)) < than.getTime();
  }

  /** Removes all there is of it, the notes first: without one the rest is nobody's. */
  async remove(name: string): Promise<void> {
    for (const note of [this.#doneNoteOf(name), this.#noteOf(name)]) await rm(note, { force: true });
    await rm(this.placeOf(name), { force: true });
  }

  /** Where its bytes are on this machine. */
  placeOf(name: string): string {
    if (!isName(name)) throw new Error(`not the name of an upload: ${JSON.stringify(name.slice(0, 200))}`);
    return path.join(this.#folder, name);
  }

  #noteOf(name: string): string {
    return this.placeOf(name) + noteEnding;
  }

  #doneNoteOf(name: string): string {
    return path.join(this.#folder, doneFolder, path.basename(this.#noteOf(name)));
  }

  /** When its last bytes came, or its note changed. */
  async #touchedMilliseconds(name: string): Promise<number> {
    const places = [this.placeOf(name), this.#noteOf(name), this.#doneNoteOf(name)];
    const found = await Promise.all(places.map((place) => unlessAbsent(stat(place))));
    return Math.max(0, ...found.map((one) => one?.mtimeMs ?? 0));
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

/** A write may take less than it was given. */
async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";

/*
 * Page images on this machine's disk: each can be made again at any time, so there is an end to the room that they take
 * in all. No list of them is kept that could disagree with the disk. It is looked through at the start and whenever a
 * tenth of the room has been filled; then those go that nobody has looked at for the longest time, as far as the file
 * system notes that: Linux does so once a day.
 */

interface KeptImage {
  place: string;
  /** In bytes. */
  size: number;
  usedMilliseconds: number;
}

export class KeptImages {
  readonly #documents: string;
  readonly #limitBytes: number;
  readonly #log: Logger;
  #newBytes = 0;
  #sweeping: Promise<void> | null = null;

  /** `folder` is the one that the local store has its files in. */
  constructor(folder: string, limitBytes: number, log: Logger) {
    this.#documents = path.join(folder, "documents");
    this.#limitBytes = limitBytes;
    this.#log = log;
  }

  /** Notes that an image was kept; looks for room where it has become time. Never rejects. */
  async note(bytes: number): Promise<void> {
    this.#newBytes += bytes;
    if (this.#newBytes > this.#limitBytes / 10) await this.sweep();
  }

  /** Removes what is too much, and somewhat more; one sweep at a time. Never rejects. */
  async sweep(): Promise<void> {
    this.#newBytes = 0;
    this.#sweeping ??= this.#sweep()
      .catch((error: unknown) => this.#log.error({ err: error }, "No room could be made for images of pages"))
      .finally(() => (this.#sweeping = null));
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const images: KeptImage[] = [];
    let bytes = 0;
    for (const document of await namesIn(this.#documents)) {
      const folder = path.join(this.#documents, document, "images");
      for (const state of await namesIn(folder)) {
        for (const name of await namesIn(path.join(folder, state))) {
          const image = await imageAt(path.join(folder, state, name));
          if (image === null) continue;
          images.push(image);
          bytes += image.size;
        }
      }
    }
    if (bytes <= this.#limitBytes) return;
    images.sort((one, other) => one.usedMilliseconds - other.usedMilliseconds);
    for (const { place, size } of images) {
      if (bytes <= this.#limitBytes * 0.9) return;
      await rm(place, { force: true });
      bytes -= size;
    }
  }
}

async function imageAt(place: string): Promise<KeptImage | null> {
  const found = await stat(place).catch(absent);
  if (found?.isFile() !== true) return null;
  return { place, size: found.size, usedMilliseconds: Math.max(found.atimeMs, found.mtimeMs) };
}

/** None where there is no such folder, or not any more. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}

function absent(error: unknown): null {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Logger } from "pino";

/*
 * Page images on the local disk. Each can be rendered again at any time, so their total size is limited. There is no
 * index of them that could disagree with the disk: the folders are scanned at the start and whenever a tenth of the
 * space has been filled. Then the least recently used images are removed, as far as the file system records use: Linux
 * updates access times once a day.
 */

interface KeptImage {
  path: string;
  /** In bytes. */
  size: number;
  usedMilliseconds: number;
}

export class KeptImages {
  readonly #documents: string;
  readonly #limitBytes: number;
  readonly #log: Logger;
  /** How much this process may add before it sweeps. */
  readonly #maxNewBytes: number;
  #newBytes = 0;
  #sweeping: Promise<void> | null = null;

  /** `folder` is the folder of the local file store; `processes` is the number of processes that add images to it. */
  constructor(folder: string, limitBytes: number, log: Logger, processes = 1) {
    this.#documents = path.join(folder, "documents");
    this.#limitBytes = limitBytes;
    this.#log = log;
    this.#maxNewBytes = limitBytes / 10 / processes;
  }

  /** Records a new image, and sweeps when it is time. Never rejects. */
  async note(bytes: number): Promise<void> {
    this.#newBytes += bytes;
    if (this.#newBytes > this.#maxNewBytes) await this.sweep();
  }

  /** Removes images until they are somewhat below the limit; one sweep at a time. Never rejects. */
  async sweep(): Promise<void> {
    this.#newBytes = 0;
    this.#sweeping ??= this.#sweep()
      .catch((error: unknown) => this.#log.error({ err: error }, "No space could be freed for page images"))
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
    images.sort((left, right) => left.usedMilliseconds - right.usedMilliseconds);
    for (const { path: file, size } of images) {
      if (bytes <= this.#limitBytes * 0.9) return;
      await rm(file, { force: true });
      bytes -= size;
    }
  }
}

async function imageAt(file: string): Promise<KeptImage | null> {
  const found = await stat(file).catch(absent);
  if (found?.isFile() !== true) return null;
  return { path: file, size: found.size, usedMilliseconds: Math.max(found.atimeMs, found.mtimeMs) };
}

/** Empty if the folder does not exist, or no longer does. */
async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(absent)) ?? [];
}

function absent(error: unknown): null {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

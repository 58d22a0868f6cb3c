import { type FileHandle, open } from "node:fs/promises";
import type { WorkFolder } from "../../work-folders.ts";

/** A file in the volume of a production. */
export interface VolumeFile {
  /** Within the volume, with slashes. */
  path: string;
  /** In bytes. */
  size: number;
}

/** All files of a document, one after another in one file: a store may take long for each file, and pages are many. */
export class Fragment implements AsyncDisposable {
  readonly path: string;
  readonly files: VolumeFile[] = [];
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  static async begin(folder: WorkFolder, name: string): Promise<Fragment> {
    const path = folder.file(name);
    return new Fragment(path, await open(path, "wx"));
  }

  /** Adds a file of these bytes. `onChunk` gets them as they come. */
  async add(
    path: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    onChunk: (chunk: Uint8Array) => void = () => undefined,
  ): Promise<void> {
    let size = 0;
    for await (const chunk of chunks) {
      onChunk(chunk);
      await this.#file.writeFile(chunk);
      size += chunk.length;
    }
    this.files.push({ path, size });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}

/** Where the files of a production are until they are downloaded: one for each document that has any. */
export const productionFolder = (id: number): string => `productions/${id}`;

export const fragmentKey = (id: number, firstNumber: number): string =>
  `${productionFolder(id)}/${firstNumber}`;

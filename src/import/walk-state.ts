import { createHash } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";

/** The position of an import in another server's list. */
export interface WalkState {
  /** The address of the list. */
  url: string;
  /** The page after the last imported one. */
  next: string;
  /** The number of imported pages. */
  pages: number;
}

/** Stores the position in the data folder until the import has finished, one file for each list. */
export class WalkStates {
  readonly #folder: string;

  constructor(dataFolder: string) {
    this.#folder = path.join(dataFolder, "imports");
  }

  /** Null if no import of this list is unfinished. */
  async find(url: string): Promise<WalkState | null> {
    try {
      const state = JSON.parse(await readFile(this.#fileOf(url), "utf8")) as Partial<WalkState>;
      const { next, pages } = state;
      if (state.url !== url || typeof next !== "string" || typeof pages !== "number") return null;
      return { url, next, pages };
    } catch (error) {
      if (error instanceof SyntaxError || isAbsent(error)) return null;
      throw error;
    }
  }

  async save(state: WalkState): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const file = this.#fileOf(state.url);
    const handle = await open(`${file}.new`, "w");
    try {
      await handle.writeFile(`${JSON.stringify(state, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${file}.new`, file);
  }

  async remove(url: string): Promise<void> {
    await rm(this.#fileOf(url), { force: true });
  }

  #fileOf(url: string): string {
    return path.join(this.#folder, `${createHash("sha256").update(url).digest("hex").slice(0, 32)}.json`);
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

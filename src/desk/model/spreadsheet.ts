import { signal } from "@preact/signals";
import type { SpreadsheetImport } from "../../contract/spreadsheet.ts";
import { type DeskApi, RefusedError, reasonOf } from "./desk-api.ts";
import type { Result } from "./resource.ts";
import { spreadsheetTexts as texts } from "./spreadsheet-texts.ts";

/** The import of an edited spreadsheet: first what it would change, then the change, then perhaps its undoing. */
export class Spreadsheet {
  readonly #api: DeskApi;
  /** The text of the file that was chosen. */
  #csv = "";
  readonly name = signal("");
  /** What the file would change, or has changed; null before one is chosen. */
  readonly shown = signal<SpreadsheetImport | null>(null);
  readonly overwrites = signal(false);
  readonly isBusy = signal(false);
  readonly message = signal<Result>({ text: "", isProblem: false });

  constructor(api: DeskApi) {
    this.#api = api;
  }

  /** Reads a file, and asks what it would change. */
  async choose(file: Pick<File, "name" | "arrayBuffer">): Promise<void> {
    this.name.value = file.name;
    this.shown.value = null;
    this.overwrites.value = false;
    await this.#work(async () => {
      this.#csv = decoded(await file.arrayBuffer());
      this.shown.value = await this.#send(this.#csv, false);
    }, "");
  }

  async setOverwrites(overwrites: boolean): Promise<void> {
    this.overwrites.value = overwrites;
    await this.#work(async () => {
      this.shown.value = await this.#send(this.#csv, false);
    }, "");
  }

  apply(): Promise<void> {
    return this.#work(async () => {
      this.shown.value = await this.#send(this.#csv, true);
    }, texts.applied);
  }

  undo(): Promise<void> {
    const undo = this.shown.peek()?.undo ?? null;
    return this.#work(async () => {
      if (undo === null) return;
      const undone = await this.#send(undo, true);
      // Undoing it once more would bring the changes again.
      this.shown.value = { ...undone, undo: null };
    }, texts.undone);
  }

  #send(csv: string, apply: boolean): Promise<SpreadsheetImport> {
    const body = { csv, apply, overwrite: this.overwrites.peek() };
    return this.#api.send("POST", "documents/spreadsheet/", body) as Promise<SpreadsheetImport>;
  }

  async #work(work: () => Promise<void>, done: string): Promise<void> {
    this.isBusy.value = true;
    try {
      await work();
      this.message.value = { text: done, isProblem: false };
    } catch (error) {
      // The page has one field, which needs no name.
      const inFile = error instanceof RefusedError ? error.fields.get("csv") : undefined;
      this.message.value = { text: inFile ?? reasonOf(error), isProblem: true };
    }
    this.isBusy.value = false;
  }
}

/** Programs for spreadsheets write UTF-8, UTF-16 or the code page of Windows. */
function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

import { signal } from "@preact/signals";
import type { DocumentWithParts } from "../../contract/document.ts";
import { type DeskApi, reasonOf } from "../model/desk-api.ts";
import type { GatheredFiles } from "./dropped-files.ts";
import { texts } from "../model/texts.ts";
import { Replacement } from "./upload-target.ts";
import { type UploadEnvironment, Uploads } from "./uploads.ts";

/** A document whose file is to be replaced, with what belongs to its pages. */
export type ReplacedDocument = DocumentWithParts;

/** The replacement of a document's file: the document, and the file or the address that a person has chosen for it. */
export class FileReplacement {
  readonly document = signal<ReplacedDocument | null>(null);
  /** Why the file cannot be replaced, or why the last choice of files was refused. Empty if there is no reason. */
  readonly problem = signal("");
  readonly uploads: Uploads;
  readonly #api: DeskApi;
  readonly #id: number;

  constructor(api: DeskApi, id: number, environment?: UploadEnvironment) {
    this.#api = api;
    this.#id = id;
    this.uploads = new Uploads(api, new Replacement(api, id), environment);
  }

  async load(): Promise<void> {
    try {
      const document = await this.#api.get<ReplacedDocument>(`documents/${this.#id}/?expand=notes,sections`);
      if (!document.edit_access) this.problem.value = texts.replacement.notYours;
      else if (document.asset_url !== this.#api.options.assets && document.status !== "nofile")
        this.problem.value = texts.replacement.elsewhere;
      this.document.value = document;
    } catch (error) {
      this.problem.value = reasonOf(error);
    }
  }

  /** Takes one file in place of an earlier choice. */
  choose({ files }: GatheredFiles): void {
    const [file, ...others] = files;
    if (file === undefined || this.#isUnderWay()) return;
    this.problem.value = others.length > 0 ? texts.replacement.onlyOne : "";
    if (others.length > 0) return;
    this.uploads.items.value = [];
    this.uploads.add({ files: [file], leftOut: 0 });
  }

  /** Takes the file at an address in place of an earlier choice. Returns false if it is not an address. */
  chooseAddress(address: string): boolean {
    if (this.#isUnderWay()) return true;
    const before = this.uploads.items.peek();
    this.uploads.items.value = [];
    const isTaken = this.uploads.addAddresses([address]).length === 0;
    if (isTaken) this.problem.value = "";
    else this.uploads.items.value = before;
    return isTaken;
  }

  #isUnderWay(): boolean {
    return this.uploads.items.peek().some(({ isUnderWay }) => isUnderWay.peek());
  }
}

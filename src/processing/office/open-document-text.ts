import type { AddText } from "./add-text.ts";
import type { ZipEntries } from "../unpack/zip-entries.ts";
import { locked } from "./ole-file.ts";
import { type XmlReader, readXml } from "./xml-reading.ts";

const maxRepeated = 64;
const notShown = new Set([
  "text:tracked-changes",
  "office:styles",
  "office:automatic-styles",
  "office:settings",
  "office:meta",
  "office:master-styles",
  "office:binary-data",
  "office:scripts",
]);

/**
 * Adds a line for each paragraph and each table row, with tabs between the cells, and the table's name above its rows.
 */
export class OpenDocumentText implements XmlReader {
  readonly #add: AddText;
  #line = "";
  #paragraphs = 0;
  #cells = 0;
  #hidden = 0;
  #repeated = 1;
  #slides = 0;

  constructor(add: AddText) {
    this.#add = add;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (notShown.has(name)) this.#hidden += 1;
    if (this.#hidden > 0) return;
    if (name === "text:p" || name === "text:h") this.#paragraphs += 1;
    else if (name === "text:tab") this.#line += this.#cells > 0 ? " " : "\t";
    else if (name === "text:line-break") this.#line += this.#cells > 0 ? " " : "\n";
    else if (name === "text:s") this.#line += " ".repeat(countOf(attributes["text:c"]));
    else if (name === "table:table" && this.#cells === 0) this.#add(`\n${attributes["table:name"] ?? ""}`);
    else if (isCell(name)) {
      this.#cells += 1;
      this.#repeated = countOf(attributes["table:number-columns-repeated"]);
    } else if (name === "draw:page") this.#add(`\nSlide ${(this.#slides += 1)}\n`);
  }

  text(text: string): void {
    if (this.#paragraphs > 0 && this.#hidden === 0) this.#line += text.replaceAll(/\s+/g, " ");
  }

  close(name: string): void {
    if (notShown.has(name)) {
      this.#hidden -= 1;
      return;
    }
    if (this.#hidden > 0) return;
    if (name === "text:p" || name === "text:h") {
      this.#paragraphs -= 1;
      if (this.#cells > 0) this.#line += " ";
      else if (this.#paragraphs === 0) this.#endLine();
    } else if (isCell(name)) {
      this.#cells -= 1;
      this.#line = this.#line.replace(/ +$/, "") + "\t".repeat(this.#repeated);
      this.#repeated = 1;
    } else if (name === "table:table-row" && this.#cells === 0 && this.#line.trim() !== "") this.#endLine();
    else if (name === "table:table-row" && this.#cells === 0) this.#line = "";
  }

  #endLine(): void {
    this.#add(this.#line.trimEnd());
    this.#line = "";
  }
}

const isCell = (name: string): boolean => name === "table:table-cell" || name === "table:covered-table-cell";

/** A locked file says in its manifest how each of its parts is encrypted. @throws {UnreadableFileError} */
export async function checkNotLocked(zip: ZipEntries): Promise<void> {
  const manifest = "META-INF/manifest.xml";
  let isLocked = zip.has("encrypted-package");
  if (!isLocked && zip.has(manifest)) {
    await readXml(zip.read(manifest), {
      open(name) {
        if (name.endsWith("encryption-data")) isLocked = true;
      },
      isDone: () => isLocked,
    });
  }
  if (isLocked) throw locked();
}

/** Limits repetition, because files repeat an empty cell thousands of times, up to the end of the sheet. */
const countOf = (attribute: string | undefined): number =>
  Math.min(Math.max(Math.trunc(Number(attribute ?? 1)) || 1, 1), maxRepeated);

import type { AddText } from "./add-text.ts";
import { type XmlReader, readXml } from "./xml-reading.ts";
import type { ZipEntries } from "../unpack/zip-entries.ts";

/** Adds the headers, the text, the footers, the footnotes, endnotes and comments: each header and footer once. */
export async function readWordDocument(zip: ZipEntries, add: AddText): Promise<void> {
  const main = zip.names.find((name) => /^word\/document\d*\.xml$/.test(name)) ?? "word/document.xml";
  await addOnce(zip, /^word\/header\d*\.xml$/, add);
  await readXml(zip.read(main), new OfficeText("w", add));
  await addOnce(zip, /^word\/footer\d*\.xml$/, add);
  for (const name of ["word/footnotes.xml", "word/endnotes.xml", "word/comments.xml"]) {
    if (zip.has(name)) await readXml(zip.read(name), new OfficeText("w", add));
  }
}

/** Adds the text of the files with such names, those with the same text once. Each kind of page has a file. */
async function addOnce(zip: ZipEntries, names: RegExp, add: AddText): Promise<void> {
  const known = new Set<string>();
  for (const name of zip.names.filter((one) => names.test(one)).toSorted()) {
    const lines: string[] = [];
    await readXml(zip.read(name), new OfficeText("w", (line) => lines.push(line)));
    const text = lines.join("\n").trim();
    if (text !== "" && !known.has(text)) add(text);
    known.add(text);
  }
}

/** Adds the text of each slide, then the speaker's notes. */
export async function readSlides(zip: ZipEntries, add: AddText): Promise<void> {
  for (const [pattern, title] of [
    [/^ppt\/slides\/slide(\d+)\.xml$/, "Slide"],
    [/^ppt\/notesSlides\/notesSlide(\d+)\.xml$/, "Notes"],
  ] as const) {
    const numbered = zip.names.flatMap((name) => {
      const [, number] = pattern.exec(name) ?? [];
      return number === undefined ? [] : [{ name, number: Number(number) }];
    });
    for (const { name, number } of numbered.toSorted((a, b) => a.number - b.number)) {
      add(`${title} ${number}\n`);
      await readXml(zip.read(name), new OfficeText("a", add));
      add("");
    }
  }
}

/** Adds a line for each paragraph and each table row, with tabs between the cells. */
class OfficeText implements XmlReader {
  readonly #prefix: string;
  readonly #add: AddText;
  #line = "";
  #isText = false;
  #cells = 0;
  /** The depth of `mc:Fallback` elements, which repeat text for older programs. */
  #fallbacks = 0;

  constructor(prefix: string, add: AddText) {
    this.#prefix = `${prefix}:`;
    this.#add = add;
  }

  open(name: string): void {
    if (name === "mc:Fallback") this.#fallbacks += 1;
    if (this.#fallbacks > 0 || !name.startsWith(this.#prefix)) return;
    const local = name.slice(this.#prefix.length);
    if (local === "t") this.#isText = true;
    else if (local === "tab") this.#line += this.#cells > 0 ? " " : "\t";
    else if (local === "br" || local === "cr") this.#line += this.#cells > 0 ? " " : "\n";
    else if (local === "noBreakHyphen") this.#line += "\u2011";
    else if (local === "tc") this.#cells += 1;
  }

  text(text: string): void {
    if (this.#isText && this.#fallbacks === 0) this.#line += text;
  }

  close(name: string): void {
    if (name === "mc:Fallback") this.#fallbacks -= 1;
    if (this.#fallbacks > 0 || !name.startsWith(this.#prefix)) return;
    const local = name.slice(this.#prefix.length);
    if (local === "t") this.#isText = false;
    else if (local === "tc") {
      this.#cells -= 1;
      this.#line = `${this.#line.trimEnd()}\t`;
    } else if (local === "p" && this.#cells > 0) this.#line += " ";
    else if ((local === "p" || local === "tr") && this.#cells === 0) {
      this.#add(this.#line.trimEnd());
      this.#line = "";
    }
  }
}

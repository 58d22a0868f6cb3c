import { closeSync, openSync, writeSync } from "node:fs";
import { deflateSync } from "node:zlib";

/**
 * Writes a PDF. Objects go to the disk one by one, so a document of any length takes no more memory than eight bytes
 * per object.
 */
export class PdfFile {
  readonly #file: number;
  readonly #offsets: number[] = [];
  readonly #pages: number[] = [];
  readonly #tree: number;
  #length = 0;

  constructor(path: string) {
    this.#file = openSync(path, "wx");
    this.#write(Buffer.from("%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1"));
    this.#tree = this.reserve();
  }

  get pageCount(): number {
    return this.#pages.length;
  }

  /** Reserves the number of an object that is written later. */
  reserve(): number {
    return this.#offsets.push(0);
  }

  add(dictionary: string, number: number = this.reserve()): number {
    this.#begin(number);
    this.#write(Buffer.from(`${dictionary}\nendobj\n`, "latin1"));
    return number;
  }

  addDeflated(bytes: Uint8Array, members = ""): number {
    const deflated = deflateSync(bytes);
    return this.addStream(`/Filter /FlateDecode ${members}`, deflated.length, [deflated]);
  }

  addStream(
    members: string,
    length: number,
    chunks: Iterable<Uint8Array>,
    number: number = this.reserve(),
  ): number {
    this.#begin(number);
    this.#write(Buffer.from(`<< /Length ${length} ${members} >>\nstream\n`, "latin1"));
    for (const chunk of chunks) this.#write(chunk);
    this.#write(Buffer.from("\nendstream\nendobj\n"));
    return number;
  }

  /** Sizes are in points. */
  addPage(width: number, height: number, content: number, resources: string): void {
    const [x, y] = [width, height].map((length) => length.toFixed(2));
    this.addPageOf(`/MediaBox [0 0 ${x} ${y}] /Contents ${content} 0 R /Resources << ${resources} >>`);
  }

  /** Adds a page with these members. */
  addPageOf(members: string, number: number = this.reserve()): void {
    this.#pages.push(this.add(`<< /Type /Page /Parent ${this.#tree} 0 R ${members} >>`, number));
  }

  /** Ends the file. `members` are the members of the catalog besides the pages. */
  end(members = ""): void {
    const kids = this.#pages.map((page) => `${page} 0 R`).join(" ");
    this.add(`<< /Type /Pages /Count ${this.#pages.length} /Kids [${kids}] >>`, this.#tree);
    const catalog = this.add(`<< /Type /Catalog /Pages ${this.#tree} 0 R ${members} >>`);
    const start = this.#length;
    const entries = this.#offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
    const size = this.#offsets.length + 1;
    this.#write(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${entries}` +
          `trailer\n<< /Size ${size} /Root ${catalog} 0 R >>\nstartxref\n${start}\n%%EOF\n`,
      ),
    );
    this.close();
  }

  /** Closes the file. Call it without {@link end} to abandon the PDF. */
  close(): void {
    closeSync(this.#file);
  }

  #begin(number: number): void {
    this.#offsets[number - 1] = this.#length;
    this.#write(Buffer.from(`${number} 0 obj\n`));
  }

  #write(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    this.#length += bytes.length;
  }
}

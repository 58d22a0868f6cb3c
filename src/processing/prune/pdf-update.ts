import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { deflateSync } from "node:zlib";
import type { PdfObjects } from "./pdf-objects.ts";
import { type PdfDictionary, writtenMembers } from "./pdf-values.ts";

/**
 * Appends new and changed objects to a PDF, as an incremental update: the bytes that are there stay. Objects go to the
 * disk one by one.
 */
export class PdfUpdate {
  readonly #file: number;
  readonly #source: PdfObjects;
  readonly #offsets = new Map<number, number>();
  #next: number;
  #length: number;

  /** @param source the objects of the file at `path`, which stays open until the update has ended */
  constructor(path: string, source: PdfObjects) {
    this.#file = openSync(path, "a");
    this.#length = fstatSync(this.#file).size;
    this.#source = source;
    this.#next = Number(source.trailer.get("Size"));
    this.#write("\n");
  }

  /** Reserves the number of an object that is written later. */
  reserve(): number {
    return this.#next++;
  }

  /** Writes an object. With the number of one that the file has, it takes its place. */
  add(object: string, number: number = this.reserve()): number {
    this.#begin(number);
    this.#write(`${object}\nendobj\n`);
    return number;
  }

  addDeflated(bytes: Uint8Array, members = ""): number {
    const deflated = deflateSync(bytes);
    const number = this.reserve();
    this.#begin(number);
    this.#write(`<< /Length ${deflated.length} /Filter /FlateDecode ${members} >>\nstream\n`);
    this.#writeBytes(deflated);
    this.#write("\nendstream\nendobj\n");
    return number;
  }

  end(): void {
    const start = this.#length;
    const sections: string[] = [];
    for (const run of runsOf([...this.#offsets.keys()].toSorted((a, b) => a - b))) {
      const entries = run.map(
        (number) => `${String(this.#offsets.get(number)).padStart(10, "0")} 00000 n \n`,
      );
      sections.push(`${run[0]} ${run.length}\n${entries.join("")}`);
    }
    const trailer: PdfDictionary = new Map(
      [...this.#source.trailer].filter(([name]) => ["Root", "Info", "ID"].includes(name)),
    );
    trailer.set("Size", String(this.#next));
    trailer.set("Prev", String(this.#source.tableOffset));
    this.#write(
      `xref\n${sections.join("")}trailer\n<< ${writtenMembers(trailer)} >>\nstartxref\n${start}\n%%EOF\n`,
    );
    this.close();
  }

  close(): void {
    closeSync(this.#file);
  }

  #begin(number: number): void {
    this.#offsets.set(number, this.#length);
    this.#write(`${number} 0 obj\n`);
  }

  #write(text: string): void {
    this.#writeBytes(Buffer.from(text, "latin1"));
  }

  #writeBytes(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length;) done += writeSync(this.#file, bytes, done);
    this.#length += bytes.length;
  }
}

function runsOf(numbers: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run?.at(-1) === number - 1) run.push(number);
    else runs.push([number]);
  }
  return runs;
}

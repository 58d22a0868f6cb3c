import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * A compound file of Microsoft's OLE, by [MS-CFB]: a file system in a file, in which the office formats before 2007
 * are. Sectors form chains, which a table of the next sector of each describes. Streams below a size are in small
 * sectors of the root's own stream.
 */

const signature = Buffer.from("d0cf11e0a1b11ae1", "hex");
const freeSector = 0xffff_ffff;
const lastOfChain = 0xffff_fffe;
const entryBytes = 128;
/** The sectors whose numbers are in the header list the sectors of the table. */
const sectorsInHeader = 109;

interface Entry {
  start: number;
  bytes: number;
}

export class OleFile {
  readonly #bytes: Buffer;
  readonly #sectorBytes: number;
  readonly #smallSectorBytes: number;
  readonly #minLarge: number;
  readonly #next: readonly number[];
  readonly #nextSmall: readonly number[];
  readonly #entries = new Map<string, Entry>();
  #small: Buffer = Buffer.alloc(0);

  /** @throws {UnreadableFileError} */
  constructor(bytes: Buffer) {
    if (!bytes.subarray(0, signature.length).equals(signature)) throw tooOld();
    if (bytes.length < 512) throw damaged();
    this.#bytes = bytes;
    this.#sectorBytes = 2 ** within(bytes.readUInt16LE(30), 7, 16);
    this.#smallSectorBytes = 2 ** within(bytes.readUInt16LE(32), 2, 12);
    this.#minLarge = bytes.readUInt32LE(56);
    this.#next = this.#table();
    this.#readDirectory(this.#chain(bytes.readUInt32LE(48)));
    this.#nextSmall = numbersIn(this.#chain(bytes.readUInt32LE(60)));
  }

  /**
   * The bytes of a stream, in whatever case its name is written; null if no stream has it. Those of inserted objects,
   * which may be documents themselves, are in folders, and come after those of the file.
   */
  find(name: string): Buffer | null {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) return null;
    const { start, bytes } = entry;
    return (bytes < this.#minLarge ? this.#smallChain(start) : this.#chain(start)).subarray(0, bytes);
  }

  /** For each sector, the one that follows it. */
  #table(): number[] {
    const listing = numbersIn(this.#bytes.subarray(76, 76 + 4 * sectorsInHeader));
    let more = this.#bytes.readUInt32LE(68);
    const seen = new Set<number>();
    while (more < lastOfChain && !seen.has(more)) {
      seen.add(more);
      const numbers = numbersIn(this.#sector(more));
      more = numbers.pop() ?? freeSector;
      listing.push(...numbers);
    }
    return listing
      .filter((sector) => sector < lastOfChain - 2)
      .flatMap((sector) => numbersIn(this.#sector(sector)));
  }

  /** Empty beyond the end of the file. */
  #sector(index: number): Buffer {
    const start = (index + 1) * this.#sectorBytes;
    return this.#bytes.subarray(start, start + this.#sectorBytes);
  }

  #chain(start: number): Buffer {
    return chained(start, this.#next, (index) => this.#sector(index));
  }

  #smallChain(start: number): Buffer {
    const bytes = this.#smallSectorBytes;
    return chained(start, this.#nextSmall, (index) =>
      this.#small.subarray(index * bytes, (index + 1) * bytes),
    );
  }

  #readDirectory(directory: Buffer): void {
    const count = Math.floor(directory.length / entryBytes);
    const all = Array.from({ length: count }, (_, index) => index);
    for (const index of new Set([...ofRoot(directory, count), ...all])) {
      const at = index * entryBytes;
      const length = Math.min(64, directory.readUInt16LE(at + 64));
      const name = directory.toString("utf16le", at, at + Math.max(0, length - 2)).toLowerCase();
      const type = directory[at + 66];
      const entry = { start: directory.readUInt32LE(at + 116), bytes: directory.readUInt32LE(at + 120) };
      if (type === 5) this.#small = this.#chain(entry.start).subarray(0, entry.bytes);
      else if (type === 2 && !this.#entries.has(name)) this.#entries.set(name, entry);
    }
  }
}

/** The indexes of the entries in the root, which are a binary tree. */
function ofRoot(directory: Buffer, count: number): Set<number> {
  const found = new Set<number>();
  const [left, right, child] = [68, 72, 76] as const;
  const waiting = count === 0 ? [] : [directory.readUInt32LE(child)];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (index >= count || found.has(index)) continue;
    found.add(index);
    waiting.push(...[left, right].map((field) => directory.readUInt32LE(index * entryBytes + field)));
  }
  return found;
}

function chained(start: number, next: readonly number[], sectorAt: (index: number) => Buffer): Buffer {
  const sectors: Buffer[] = [];
  for (let index = start; index < next.length; index = next[index] ?? freeSector) {
    // A chain that is longer than the table runs in a circle.
    if (sectors.length > next.length) throw damaged();
    sectors.push(sectorAt(index));
  }
  return Buffer.concat(sectors);
}

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readUInt32LE(4 * index));
}

function within(value: number, min: number, max: number): number {
  if (value < min || value > max) throw damaged();
  return value;
}

export const damaged = (): UnreadableFileError =>
  new UnreadableFileError("broken", "broken: it is cut short, or its parts cannot be made out");

/** For files of programs that are too old for the readers here. */
export const tooOld = (program = "a program"): UnreadableFileError =>
  new UnreadableFileError(
    "no-converter",
    `It was written by ${program} of before 1997, which only LibreOffice reads: install it (Debian: apt-get install ` +
      "libreoffice) and process the document again",
  );

/** For files whose contents are encrypted as a whole, or in part. */
export const locked = (): UnreadableFileError =>
  new UnreadableFileError("encrypted", "encrypted: it is locked with a password");

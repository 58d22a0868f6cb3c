import { readFileSync } from "node:fs";

/** The parts of a TrueType font that are needed to embed it. Only for trusted fonts, because nothing is checked. */
export class TrueTypeFont {
  readonly #bytes: Buffer;
  readonly #tables = new Map<string, Buffer>();
  readonly #glyphs = new Map<number, number>();
  readonly #offsets: number[] = [];
  readonly #widthCount: number;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly glyphCount: number;

  constructor(path: string) {
    this.#bytes = readFileSync(path);
    for (let index = 0; index < this.#bytes.readUInt16BE(4); index++) {
      const at = 12 + index * 16;
      const offset = this.#bytes.readUInt32BE(at + 8);
      const table = this.#bytes.subarray(offset, offset + this.#bytes.readUInt32BE(at + 12));
      this.#tables.set(this.#bytes.toString("latin1", at, at + 4), table);
    }
    this.unitsPerEm = this.#table("head").readUInt16BE(18);
    this.ascent = this.#table("hhea").readInt16BE(4);
    this.descent = this.#table("hhea").readInt16BE(6);
    this.#widthCount = this.#table("hhea").readUInt16BE(34);
    this.glyphCount = this.#table("maxp").readUInt16BE(4);
    const isLong = this.#table("head").readInt16BE(50) === 1;
    const loca = this.#table("loca");
    for (let glyph = 0; glyph <= this.glyphCount; glyph++) {
      this.#offsets.push(isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2);
    }
    this.#readMap();
  }

  /** The glyph of a character; 0 if the font has none. */
  glyphOf(codePoint: number): number {
    return this.#glyphs.get(codePoint) ?? 0;
  }

  widthOf(glyph: number): number {
    return this.#table("hmtx").readUInt16BE(Math.min(glyph, this.#widthCount - 1) * 4);
  }

  /** A subset of the font with only these glyphs, which keep their numbers. */
  subset(glyphs: Iterable<number>): Buffer {
    const subset = new Set([0, ...glyphs]);
    // The loop also visits the glyphs that it adds.
    for (const glyph of subset) for (const part of this.#partsOf(glyph)) subset.add(part);
    const loca = Buffer.alloc((this.glyphCount + 1) * 4);
    const outlines: Buffer[] = [];
    let length = 0;
    for (let glyph = 0; glyph < this.glyphCount; glyph++) {
      loca.writeUInt32BE(length, glyph * 4);
      if (!subset.has(glyph)) continue;
      const outline = this.outline(glyph);
      const padding = Buffer.alloc(-outline.length & 3);
      outlines.push(outline, padding);
      length += outline.length + padding.length;
    }
    loca.writeUInt32BE(length, this.glyphCount * 4);
    const head = Buffer.from(this.#table("head"));
    head.writeInt16BE(1, 50);
    const own = new Map([
      ["glyf", Buffer.concat(outlines)],
      ["head", head],
      ["loca", loca],
    ]);
    const names = ["cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "prep"];
    return writeTables(
      names.flatMap((name) => {
        const table = own.get(name) ?? this.#tables.get(name);
        return table === undefined ? [] : [[name, table] as const];
      }),
    );
  }

  #table(name: string): Buffer {
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`the font has no table ${name}`);
    return table;
  }

  /** The entry of a glyph in the table `glyf`; empty if nothing is drawn for it. */
  outline(glyph: number): Buffer {
    return this.#table("glyf").subarray(this.#offsets[glyph], this.#offsets[glyph + 1]);
  }

  #partsOf(glyph: number): number[] {
    const outline = this.outline(glyph);
    if (outline.length < 10 || outline.readInt16BE(0) >= 0) return [];
    const parts: number[] = [];
    for (let at = 10; ;) {
      const flags = outline.readUInt16BE(at);
      parts.push(outline.readUInt16BE(at + 2));
      if ((flags & 0x20) === 0) return parts;
      at += (flags & 1) === 0 ? 6 : 8;
      if ((flags & 0x08) !== 0) at += 2;
      else if ((flags & 0x40) !== 0) at += 4;
      else if ((flags & 0x80) !== 0) at += 8;
    }
  }

  #readMap(): void {
    const cmap = this.#table("cmap");
    const maps = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) =>
      cmap.subarray(cmap.readUInt32BE(8 + index * 8)),
    );
    const map = maps.find((candidate) => candidate.readUInt16BE(0) === 12);
    if (map === undefined) throw new Error("the font has no map of all characters");
    for (let group = 0; group < map.readUInt32BE(12); group++) {
      const [first = 0, last = 0, glyph = 0] = [0, 4, 8].map((field) =>
        map.readUInt32BE(16 + group * 12 + field),
      );
      for (let code = first; code <= last; code++) this.#glyphs.set(code, glyph + code - first);
    }
  }
}

function writeTables(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const header = Buffer.alloc(12 + tables.length * 16);
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(tables.length, 4);
  const power = Math.floor(Math.log2(tables.length));
  header.writeUInt16BE(16 << power, 6);
  header.writeUInt16BE(power, 8);
  header.writeUInt16BE(tables.length * 16 - (16 << power), 10);
  const bodies: Buffer[] = [];
  let offset = header.length;
  for (const [index, [name, table]] of tables.entries()) {
    const body = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    header.write(name, 12 + index * 16, "latin1");
    header.writeUInt32BE(sumOf(body), 16 + index * 16);
    header.writeUInt32BE(offset, 20 + index * 16);
    header.writeUInt32BE(table.length, 24 + index * 16);
    bodies.push(body);
    offset += body.length;
  }
  return Buffer.concat([header, ...bodies]);
}

function sumOf(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

export interface GifImage {
  width: number;
  height: number;
  /** The colour of each pixel, as 0xrrggbb. */
  colors: number[];
}

/** Reads a still GIF with one palette, strictly by the standard: a mistake in the file is an error. */
export function readGif(file: Uint8Array): GifImage {
  const bytes = Buffer.from(file);
  let offset = 13;
  if (bytes.toString("latin1", 0, 6) !== "GIF89a") throw new Error("no GIF");
  const flags = bytes.readUInt8(10);
  if ((flags & 0x80) === 0) throw new Error("no palette");
  const palette = Array.from({ length: 2 << (flags & 7) }, (_, index) =>
    bytes.readUIntBE(offset + index * 3, 3),
  );
  offset += palette.length * 3;
  if (bytes.readUInt8(offset) !== 0x2c) throw new Error("no image");
  const width = bytes.readUInt16LE(offset + 5);
  const height = bytes.readUInt16LE(offset + 7);
  if (width !== bytes.readUInt16LE(6) || height !== bytes.readUInt16LE(8)) throw new Error("not all of it");
  const rootBits = bytes.readUInt8(offset + 10);
  offset += 11;
  const blocks: Buffer[] = [];
  for (let length = bytes.readUInt8(offset); length > 0; length = bytes.readUInt8(offset)) {
    blocks.push(bytes.subarray(offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  if (bytes.readUInt8(offset + 1) !== 0x3b || bytes.length !== offset + 2) throw new Error("no end");
  const indexes = decompress(Buffer.concat(blocks), rootBits);
  if (indexes.length !== width * height)
    throw new Error(`${indexes.length} pixels, not ${width} × ${height}`);
  const colors = indexes.map((index) => {
    const color = palette[index];
    if (color === undefined) throw new Error("a colour outside the palette");
    return color;
  });
  return { width, height, colors };
}

function decompress(data: Buffer, rootBits: number): number[] {
  const clear = 1 << rootBits;
  const pixels: number[] = [];
  let runs: number[][] = [];
  let codeBits = rootBits + 1;
  let before: number[] | null = null;
  let bitOffset = 0;
  for (;;) {
    let code = 0;
    for (let bit = 0; bit < codeBits; bit++, bitOffset++) {
      code |= ((data.readUInt8(bitOffset >> 3) >> (bitOffset & 7)) & 1) << bit;
    }
    if (code === clear) {
      // The two codes after the colours are control codes.
      runs = [...Array.from({ length: clear }, (_, color) => [color]), [], []];
      codeBits = rootBits + 1;
      before = null;
      continue;
    }
    if (code === clear + 1) break;
    const isNew: boolean = code === runs.length && before !== null;
    const run: number[] | undefined = isNew && before !== null ? [...before, before[0] ?? 0] : runs[code];
    if (run === undefined) throw new Error("a code that stands for nothing");
    for (const pixel of run) pixels.push(pixel);
    if (before !== null && runs.length < 4096) runs.push([...before, run[0] ?? 0]);
    if (runs.length === 1 << codeBits && codeBits < 12) codeBits += 1;
    before = run;
  }
  if (data.length !== Math.ceil(bitOffset / 8)) throw new Error("more bytes than codes");
  return pixels;
}

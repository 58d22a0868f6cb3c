export interface GifImage {
  width: number;
  height: number;
  /** The colour of each pixel, as 0xrrggbb. */
  colors: number[];
}

/** Reads a still GIF with one palette, strictly by the standard: a mistake in the file is an error. */
export function readGif(file: Uint8Array): GifImage {
  const bytes = Buffer.from(file);
  let place = 13;
  if (bytes.toString("latin1", 0, 6) !== "GIF89a") throw new Error("no GIF");
  const flags = bytes.readUInt8(10);
  if ((flags & 0x80) === 0) throw new Error("no palette");
  const palette = Array.from({ length: 2 << (flags & 7) }, (_, index) =>
    bytes.readUIntBE(place + index * 3, 3),
  );
  place += palette.length * 3;
  if (bytes.readUInt8(place) !== 0x2c) throw new Error("no image");
  const width = bytes.readUInt16LE(place + 5);
  const height = bytes.readUInt16LE(place + 7);
  if (width !== bytes.readUInt16LE(6) || height !== bytes.readUInt16LE(8)) throw new Error("not all of it");
  const rootBits = bytes.readUInt8(place + 10);
  place += 11;
  const blocks: Buffer[] = [];
  for (let length = bytes.readUInt8(place); length > 0; length = bytes.readUInt8(place)) {
    blocks.push(bytes.subarray(place + 1, place + 1 + length));
    place += length + 1;
  }
  if (bytes.readUInt8(place + 1) !== 0x3b || bytes.length !== place + 2) throw new Error("no end");
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
  let bitPlace = 0;
  for (;;) {
    let code = 0;
    for (let bit = 0; bit < codeBits; bit++, bitPlace++) {
      code |= ((data.readUInt8(bitPlace >> 3) >> (bitPlace & 7)) & 1) << bit;
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
  if (data.length !== Math.ceil(bitPlace / 8)) throw new Error("more bytes than codes");
  return pixels;
}

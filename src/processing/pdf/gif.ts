import { type Pixels, toPalette } from "../pdfium/palette.ts";

/*
 * Encodes one still image as a GIF (GIF89a). The format allows at most 256 colours, which `palette.ts` chooses, and LZW
 * codes of up to 12 bits in blocks of up to 255 bytes.
 *
 * sharp writes GIFs as well, but it takes three to nine times as long and its files are no smaller. Measured on pages
 * 1000 pixels wide, processor time as the median of nine runs, sharp without dithering:
 *
 *   a report with charts, 953 colours    here  59 ms,  27 kB    sharp 159 ms,  30 kB
 *   a scanned letter, 198 colours        here  31 ms, 335 kB    sharp 249 ms, 335 kB
 *   a page with a plan, 1154 colours     here  38 ms, 113 kB    sharp 211 ms, 132 kB
 *
 * At its lowest effort sharp is faster (52, 278 and 89 ms), but then it drops colours of the letter. Otherwise both
 * encoders keep them exactly. For pages of more than 256 colours its palette is better by 4 to 6 dB; both are above
 * 56 dB, where the difference cannot be seen. sharp's encoder is also asynchronous, which means a copy of the pixels:
 * pdfium's memory holds them only until the page is closed.
 */

const maxCodeLength = 12;
const maxCodes = 1 << maxCodeLength;
const maxBlockLength = 255;

export function encodeGif(pixels: Pixels): Uint8Array<ArrayBuffer> {
  const { colors, indexes } = toPalette(pixels);
  const paletteBits = Math.max(1, Math.ceil(Math.log2(colors.length / 3)));
  const bytes = new GrowingBytes(1024 + (indexes.length >> 2));

  bytes.put(...Buffer.from("GIF89a", "latin1"));
  bytes.putShort(pixels.width);
  bytes.putShort(pixels.height);
  // A palette of this size for the whole image; no background colour, square pixels.
  bytes.put(0xf0 | (paletteBits - 1), 0, 0);
  for (let index = 0; index < 3 << paletteBits; index++) bytes.put(colors[index] ?? 0);

  bytes.put(0x2c);
  bytes.putShort(0);
  bytes.putShort(0);
  bytes.putShort(pixels.width);
  bytes.putShort(pixels.height);
  bytes.put(0);
  putCompressed(bytes, indexes, Math.max(2, paletteBits));
  bytes.put(0x3b);
  return bytes.result();
}

/** A power of two, and large enough that the 4096 codes between two clear codes rarely collide in it. */
const slotCount = 16_384;

/** LZW. The code of a run of pixels and the next pixel form the key of the longer run's code. */
function putCompressed(bytes: GrowingBytes, indexes: Uint8Array, rootBits: number): void {
  const clear = 1 << rootBits;
  const end = clear + 1;
  const keys = new Int32Array(slotCount).fill(-1);
  const codes = new Uint16Array(slotCount);
  let next = end + 1;
  let codeBits = rootBits + 1;

  bytes.put(rootBits);
  const output = new BlockWriter(bytes);
  output.write(clear, codeBits);
  let run = indexes[0] ?? 0;
  for (let position = 1; position < indexes.length; position++) {
    const pixel = indexes[position] ?? 0;
    const key = (run << 8) | pixel;
    let slot = ((run << 4) ^ (pixel * 0x9e5)) & (slotCount - 1);
    while (keys[slot] !== key && keys[slot] !== -1) slot = (slot + 1) & (slotCount - 1);
    if (keys[slot] === key) {
      run = codes[slot] ?? 0;
      continue;
    }
    output.write(run, codeBits);
    run = pixel;
    if (next === maxCodes) {
      output.write(clear, codeBits);
      keys.fill(-1);
      next = end + 1;
      codeBits = rootBits + 1;
      continue;
    }
    keys[slot] = key;
    codes[slot] = next;
    // The decoder learns each code one code later than the encoder.
    if (next === 1 << codeBits) codeBits += 1;
    next += 1;
  }
  output.write(run, codeBits);
  // After this run the decoder adds one more code, and may then expect longer codes.
  if (next === 1 << codeBits && codeBits < maxCodeLength) codeBits += 1;
  output.write(end, codeBits);
  output.finish();
}

/** Writes codes as bits, the lowest first, in blocks that each begin with their length. */
class BlockWriter {
  readonly #bytes: GrowingBytes;
  #pending = 0;
  #pendingBits = 0;
  #blockStart: number;

  constructor(bytes: GrowingBytes) {
    this.#bytes = bytes;
    this.#blockStart = bytes.length;
    bytes.put(0);
  }

  write(code: number, bits: number): void {
    this.#pending |= code << this.#pendingBits;
    this.#pendingBits += bits;
    while (this.#pendingBits >= 8) {
      this.#putByte(this.#pending & 0xff);
      this.#pending >>>= 8;
      this.#pendingBits -= 8;
    }
  }

  /** Writes the last bits, and the empty block that ends the data. */
  finish(): void {
    if (this.#pendingBits > 0) this.#putByte(this.#pending);
    const length = this.#bytes.length - this.#blockStart - 1;
    this.#bytes.set(this.#blockStart, length);
    if (length > 0) this.#bytes.putByte(0);
  }

  #putByte(byte: number): void {
    this.#bytes.putByte(byte);
    if (this.#bytes.length - this.#blockStart <= maxBlockLength) return;
    this.#bytes.set(this.#blockStart, maxBlockLength);
    this.#blockStart = this.#bytes.length;
    this.#bytes.putByte(0);
  }
}

class GrowingBytes {
  #bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  putByte(byte: number): void {
    if (this.length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.length] = byte;
    this.length += 1;
  }

  put(...values: number[]): void {
    for (const value of values) this.putByte(value);
  }

  putShort(value: number): void {
    this.put(value & 0xff, value >> 8);
  }

  set(position: number, byte: number): void {
    this.#bytes[position] = byte;
  }

  result(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length);
  }
}
